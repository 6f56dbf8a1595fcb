// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_blend_out
#cgo nocallback ow_blend_out
#cgo noescape ow_blend_tensor
#cgo nocallback ow_blend_tensor
#cgo noescape ow_blend_tensor_
#cgo nocallback ow_blend_tensor_
#include <opwright.h>
*/
import "C"

// Blend calls the operator `blend.Tensor`.
//
//	blend.Tensor(Tensor self, Tensor other, *, Scalar weight=1) -> Tensor
//
// Defaults: Weight 1.
func Blend(self, other Tensor, opts ...BlendOpts) Tensor {
	o := only(opts, "blend")
	var r0 *C.ow_tensor
	err := C.ow_blend_tensor(self.c("blend", "self"), other.c("blend", "other"), or(o.Weight, Num(1)).c(), &r0)
	self.T.done()
	other.T.done()
	must(err)
	return adopt(r0)
}

// BlendI is Blend that writes to self.
//
//	blend_.Tensor(Tensor(a!) self, Tensor other, *, Scalar weight=1) -> Tensor(a!)
//
// Defaults: Weight 1.
func BlendI(self, other Tensor, opts ...BlendIOpts) Tensor {
	o := only(opts, "blend_")
	err := C.ow_blend_tensor_(self.c("blend_", "self"), other.c("blend_", "other"), or(o.Weight, Num(1)).c())
	self.T.done()
	other.T.done()
	must(err)
	return self
}

// BlendOut is Blend that writes to out.
//
//	blend.out(Tensor self, Tensor other, *, Scalar weight=1, Tensor(a!) out) -> Tensor(a!)
//
// Defaults: Weight 1.
func BlendOut(self, other, out Tensor, opts ...BlendOutOpts) Tensor {
	o := only(opts, "blend")
	err := C.ow_blend_out(self.c("blend", "self"), other.c("blend", "other"), or(o.Weight, Num(1)).c(), out.c("blend", "out"))
	self.T.done()
	other.T.done()
	out.T.done()
	must(err)
	return out
}

// opwright/methods_gen.go

package opwright

// Blend calls the operator `blend.Tensor`.
//
// See the function [Blend].
func (self Tensor) Blend(other Tensor, opts ...BlendOpts) Tensor {
	return Blend(self, other, opts...)
}

// BlendI is Blend that writes to self.
//
// See the function [BlendI].
func (self Tensor) BlendI(other Tensor, opts ...BlendIOpts) Tensor {
	return BlendI(self, other, opts...)
}

// opwright/options_gen.go

package opwright

// BlendOpts are the options of [Blend].
type BlendOpts struct {
	Weight *Scalar // default 1
}

// BlendIOpts are the options of [BlendI].
type BlendIOpts struct {
	Weight *Scalar // default 1
}

// BlendOutOpts are the options of [BlendOut].
type BlendOutOpts struct {
	Weight *Scalar // default 1
}

