// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_arranged
#cgo nocallback ow_arranged
#cgo noescape ow_turned
#cgo nocallback ow_turned
#include <opwright.h>
*/
import "C"

// Arranged calls the operator `arranged`.
//
//	arranged(Tensor(a) self, SymInt[] size) -> Tensor(a)
func Arranged(self Tensor, size ...int64) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_arranged(self.c("arranged", "self"), (*C.int64_t)(pointer(size)), C.size_t(len(size)), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// Turned calls the operator `turned`.
//
//	turned(Tensor self, int[1]? dims=None, *, bool keepdim=False) -> Tensor
//
// Defaults: Dims none, Keepdim false.
func Turned(self Tensor, opts ...TurnedOpts) Tensor {
	o := only(opts, "turned")
	var r0 *C.ow_tensor
	err := C.ow_turned(self.c("turned", "self"), (*C.int64_t)(given(o.Dims)), C.size_t(len(o.Dims)), C.bool(or(o.Keepdim, false)), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// Arranged calls the operator `arranged`.
//
// See the function [Arranged].
func (self Tensor) Arranged(size ...int64) Tensor {
	return Arranged(self, size...)
}

// Turned calls the operator `turned`.
//
// See the function [Turned].
func (self Tensor) Turned(opts ...TurnedOpts) Tensor {
	return Turned(self, opts...)
}

// opwright/options_gen.go

package opwright

// TurnedOpts are the options of [Turned].
type TurnedOpts struct {
	Dims    []int64 // default none
	Keepdim *bool   // default false
}

