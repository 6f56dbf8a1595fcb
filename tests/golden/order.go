// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_pick
#cgo nocallback ow_pick
#cgo noescape ow_pick_dim
#cgo nocallback ow_pick_dim
#cgo noescape ow_pick_other
#cgo nocallback ow_pick_other
#cgo noescape ow_pick_scalar
#cgo nocallback ow_pick_scalar
#include <opwright.h>
*/
import "C"

// Pick calls the operator `pick`.
//
//	pick(Tensor self) -> Tensor
func Pick(self Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_pick(self.c("pick", "self"), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// PickDim calls the operator `pick.dim`.
//
//	pick.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)
//
// Defaults: Keepdim false.
func PickDim(self Tensor, dim int64, opts ...PickDimOpts) (values, indices Tensor) {
	o := only(opts, "pick")
	var r0 *C.ow_tensor
	var r1 *C.ow_tensor
	err := C.ow_pick_dim(self.c("pick", "self"), C.int64_t(dim), C.bool(or(o.Keepdim, false)), &r0, &r1)
	self.T.done()
	must(err)
	return adopt(r0), adopt(r1)
}

// PickOther calls the operator `pick.other`.
//
//	pick.other(Tensor self, Tensor other) -> Tensor
func PickOther(self, other Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_pick_other(self.c("pick", "self"), other.c("pick", "other"), &r0)
	self.T.done()
	other.T.done()
	must(err)
	return adopt(r0)
}

// PickScalar calls the operator `pick.Scalar`.
//
//	pick.Scalar(Tensor self, Scalar other) -> Tensor
func PickScalar(self Tensor, other Scalar) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_pick_scalar(self.c("pick", "self"), other.c(), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// Pick calls the operator `pick`.
//
// See the function [Pick].
func (self Tensor) Pick() Tensor {
	return Pick(self)
}

// PickDim calls the operator `pick.dim`.
//
// See the function [PickDim].
func (self Tensor) PickDim(dim int64, opts ...PickDimOpts) (values, indices Tensor) {
	return PickDim(self, dim, opts...)
}

// PickOther calls the operator `pick.other`.
//
// See the function [PickOther].
func (self Tensor) PickOther(other Tensor) Tensor {
	return PickOther(self, other)
}

// PickScalar calls the operator `pick.Scalar`.
//
// See the function [PickScalar].
func (self Tensor) PickScalar(other Scalar) Tensor {
	return PickScalar(self, other)
}

// opwright/options_gen.go

package opwright

// PickDimOpts are the options of [PickDim].
type PickDimOpts struct {
	Keepdim *bool // default false
}

