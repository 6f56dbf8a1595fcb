// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_hidden
#cgo nocallback ow_hidden
#cgo noescape ow_internal_name
#cgo nocallback ow_internal_name
#cgo noescape ow_plus_tensor
#cgo nocallback ow_plus_tensor
#include <opwright.h>
*/
import "C"

// Hidden calls the operator `hidden`.
//
//	hidden(Tensor self) -> Tensor
func Hidden(self Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_hidden(self.c("hidden", "self"), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// InternalName calls the operator `internal_name`.
//
//	internal_name(Tensor self) -> Tensor
func InternalName(self Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_internal_name(self.c("internal_name", "self"), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// Plus calls the operator `plus.Tensor`.
//
//	plus.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
//
// Defaults: Alpha 1.
func Plus(self, other Tensor, opts ...PlusOpts) Tensor {
	o := only(opts, "plus")
	var r0 *C.ow_tensor
	err := C.ow_plus_tensor(self.c("plus", "self"), other.c("plus", "other"), or(o.Alpha, Num(1)).c(), &r0)
	self.T.done()
	other.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// Plus calls the operator `plus.Tensor`.
//
// See the function [Plus].
func (self Tensor) Plus(other Tensor, opts ...PlusOpts) Tensor {
	return Plus(self, other, opts...)
}

// opwright/options_gen.go

package opwright

// PlusOpts are the options of [Plus].
type PlusOpts struct {
	Alpha *Scalar // default 1
}

