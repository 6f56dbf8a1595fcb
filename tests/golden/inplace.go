// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_clip
#cgo nocallback ow_clip
#cgo noescape ow_clip_
#cgo nocallback ow_clip_
#cgo noescape ow_consume
#cgo nocallback ow_consume
#cgo noescape ow_scale_all_
#cgo nocallback ow_scale_all_
#include <opwright.h>
*/
import "C"

// Clip calls the operator `clip`.
//
//	clip(Tensor self, Scalar? min=None) -> Tensor
//
// Defaults: Min none.
func Clip(self Tensor, opts ...ClipOpts) Tensor {
	o := only(opts, "clip")
	var r0 *C.ow_tensor
	err := C.ow_clip(self.c("clip", "self"), scalarPointer(o.Min), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// ClipI is Clip that writes to self.
//
//	clip_(Tensor(a!) self, Scalar? min=None) -> Tensor(a!)
//
// Defaults: Min none.
func ClipI(self Tensor, opts ...ClipIOpts) Tensor {
	o := only(opts, "clip_")
	err := C.ow_clip_(self.c("clip_", "self"), scalarPointer(o.Min))
	self.T.done()
	must(err)
	return self
}

// Consume calls the operator `consume`.
//
//	consume(Tensor self, Tensor(a!) other) -> ()
func Consume(self, other Tensor) Tensor {
	err := C.ow_consume(self.c("consume", "self"), other.c("consume", "other"))
	self.T.done()
	other.T.done()
	must(err)
	return other
}

// ScaleAllI calls the operator `scale_all_`.
//
//	scale_all_(Tensor(a!)[] self, Scalar factor) -> ()
func ScaleAllI(self []Tensor, factor Scalar) {
	var b0 [8]*C.ow_tensor
	c0 := handles(b0[:0], self, "scale_all_", "self")
	err := C.ow_scale_all_(pointer(c0), C.size_t(len(c0)), factor.c())
	keep(self)
	must(err)
}

// opwright/methods_gen.go

package opwright

// ClipI is Clip that writes to self.
//
// See the function [ClipI].
func (self Tensor) ClipI(opts ...ClipIOpts) Tensor {
	return ClipI(self, opts...)
}

// opwright/options_gen.go

package opwright

// ClipOpts are the options of [Clip].
type ClipOpts struct {
	Min *Scalar // default none
}

// ClipIOpts are the options of [ClipI].
type ClipIOpts struct {
	Min *Scalar // default none
}

