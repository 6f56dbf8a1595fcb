// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_constant
#cgo nocallback ow_constant
#cgo noescape ow_constant_like
#cgo nocallback ow_constant_like
#cgo noescape ow_constant_out
#cgo nocallback ow_constant_out
#cgo noescape ow_new_constant
#cgo nocallback ow_new_constant
#include <opwright.h>
*/
import "C"

import (
	"cmp"
)

// Constant calls the operator `constant`.
//
//	constant(SymInt[] size, Scalar value, *, ScalarType? dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
//
// Defaults: Dtype Long, Layout none, Device none, PinMemory none.
func Constant(size []int64, value Scalar, opts ...ConstantOpts) Tensor {
	o := only(opts, "constant")
	var r0 *C.ow_tensor
	err := C.ow_constant((*C.int64_t)(pointer(size)), C.size_t(len(size)), value.c(), cmp.Or(o.Dtype, Long).c(), o.Layout.c(), o.Device.c(), (*C.bool)(o.PinMemory), &r0)
	must(err)
	return adopt(r0)
}

// ConstantLike calls the operator `constant_like`.
//
//	constant_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor
//
// Defaults: Dtype none, Layout none, Device none, PinMemory none, MemoryFormat none.
func ConstantLike(t Tensor, opts ...ConstantLikeOpts) Tensor {
	o := only(opts, "constant_like")
	var r0 *C.ow_tensor
	err := C.ow_constant_like(t.c("constant_like", "self"), o.Dtype.c(), o.Layout.c(), o.Device.c(), (*C.bool)(o.PinMemory), o.MemoryFormat.c(), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// ConstantOut is Constant that writes to out.
//
//	constant.out(SymInt[] size, Scalar value, *, Tensor(a!) out) -> Tensor(a!)
func ConstantOut(size []int64, value Scalar, out Tensor) Tensor {
	err := C.ow_constant_out((*C.int64_t)(pointer(size)), C.size_t(len(size)), value.c(), out.c("constant", "out"))
	out.T.done()
	must(err)
	return out
}

// NewConstant calls the operator `new_constant`.
//
//	new_constant(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
//
// Defaults: Dtype none, Layout none, Device none, PinMemory none.
func NewConstant(t Tensor, size []int64, opts ...NewConstantOpts) Tensor {
	o := only(opts, "new_constant")
	var r0 *C.ow_tensor
	err := C.ow_new_constant(t.c("new_constant", "self"), (*C.int64_t)(pointer(size)), C.size_t(len(size)), o.Dtype.c(), o.Layout.c(), o.Device.c(), (*C.bool)(o.PinMemory), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// NewConstant calls the operator `new_constant`.
//
// See the function [NewConstant].
func (t Tensor) NewConstant(size []int64, opts ...NewConstantOpts) Tensor {
	return NewConstant(t, size, opts...)
}

// opwright/options_gen.go

package opwright

// ConstantOpts are the options of [Constant].
type ConstantOpts struct {
	Dtype     DType  // default Long
	Layout    Layout // default none
	Device    Device // default none
	PinMemory *bool  // default none
}

// ConstantLikeOpts are the options of [ConstantLike].
type ConstantLikeOpts struct {
	Dtype        DType        // default none
	Layout       Layout       // default none
	Device       Device       // default none
	PinMemory    *bool        // default none
	MemoryFormat MemoryFormat // default none
}

// NewConstantOpts are the options of [NewConstant].
type NewConstantOpts struct {
	Dtype     DType  // default none
	Layout    Layout // default none
	Device    Device // default none
	PinMemory *bool  // default none
}

