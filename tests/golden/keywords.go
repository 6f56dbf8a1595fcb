// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_draw_from_
#cgo nocallback ow_draw_from_
#cgo noescape ow_match_self
#cgo nocallback ow_match_self
#include <opwright.h>
*/
import "C"

// DrawI calls the operator `draw_.from`.
//
//	draw_.from(Tensor(a!) self, int ref, int? loop, *, Generator? generator=None) -> Tensor(a!)
//
// Defaults: Generator none.
func DrawI(self Tensor, ref int64, loop *int64, opts ...DrawIOpts) Tensor {
	o := only(opts, "draw_")
	err := C.ow_draw_from_(self.c("draw_", "self"), C.int64_t(ref), (*C.int64_t)(loop), o.Generator.c("draw_", "generator"))
	self.T.done()
	o.Generator.done()
	must(err)
	return self
}

// Match calls the operator `match.self`.
//
//	match.self(Tensor where, Tensor self, Tensor type) -> Tensor
func Match(where, self, type_ Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_match_self(where.c("match", "where"), self.c("match", "self"), type_.c("match", "type"), &r0)
	where.T.done()
	self.T.done()
	type_.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// DrawI calls the operator `draw_.from`.
//
// See the function [DrawI].
func (self Tensor) DrawI(ref int64, loop *int64, opts ...DrawIOpts) Tensor {
	return DrawI(self, ref, loop, opts...)
}

// Match calls the operator `match.self`.
//
// See the function [Match].
func (self Tensor) Match(where, type_ Tensor) Tensor {
	return Match(where, self, type_)
}

// opwright/options_gen.go

package opwright

// DrawIOpts are the options of [DrawI].
type DrawIOpts struct {
	Generator *Generator // default none
}

