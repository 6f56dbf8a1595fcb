package opwright

/*
#cgo noescape ow_tensor_item
#cgo nocallback ow_tensor_item
#cgo noescape ow_tensor_numel
#cgo nocallback ow_tensor_numel
#cgo noescape ow_tensor_dtype
#cgo nocallback ow_tensor_dtype
#include <opwright.h>
*/
import "C"

import (
	"slices"
	"unsafe"
)

// check refuses the zero Tensor and closed ones.
func (t Tensor) check(op, argument string) *C.ow_tensor {
	c := t.c(op, argument)
	if c == nil {
		fail(ErrType, op, "argument '%s' is the zero Tensor, which refers to none", argument)
	}
	return c
}

// Defined says whether there is a tensor: whether it is not the zero value.
func (t Tensor) Defined() bool { return t.T != nil }

// Shape is the size of each dimension.
func (t Tensor) Shape() []int64 {
	c := t.check("Shape", "self")
	defer t.T.done()
	return slices.Clone(unsafe.Slice((*int64)(C.ow_tensor_sizes(c)), C.ow_tensor_ndim(c)))
}

// Stride is how many elements lie between neighbours in each dimension.
func (t Tensor) Stride() []int64 {
	c := t.check("Stride", "self")
	defer t.T.done()
	return slices.Clone(unsafe.Slice((*int64)(C.ow_tensor_strides(c)), C.ow_tensor_ndim(c)))
}

// Dim is how many dimensions there are.
func (t Tensor) Dim() int64 {
	c := t.check("Dim", "self")
	defer t.T.done()
	return int64(C.ow_tensor_ndim(c))
}

// Size is the size of a dimension, which is counted from the end if it is negative.
func (t Tensor) Size(dim int64) int64 {
	c := t.check("Size", "self")
	defer t.T.done()
	size := int64(C.ow_tensor_size(c, C.int64_t(dim)))
	if size < 0 {
		fail(ErrIndex, "Size", "argument 'dim' is %d, but there are %d dimensions", dim, t.Dim())
	}
	return size
}

// Numel is how many elements there are.
func (t Tensor) Numel() int64 {
	c := t.check("Numel", "self")
	defer t.T.done()
	return int64(C.ow_tensor_numel(c))
}

// Dtype is the type of the elements.
func (t Tensor) Dtype() DType {
	c := t.check("Dtype", "self")
	defer t.T.done()
	return dtypeOf(C.ow_tensor_dtype(c))
}

// Device is where the memory is.
func (t Tensor) Device() Device {
	c := t.check("Device", "self")
	defer t.T.done()
	return deviceOf(C.ow_tensor_device(c))
}

// Layout is how elements are found.
func (t Tensor) Layout() Layout {
	c := t.check("Layout", "self")
	defer t.T.done()
	return layoutOf(C.ow_tensor_layout(c))
}

// Offset is where the first element is in the storage, in elements.
func (t Tensor) Offset() int64 {
	c := t.check("Offset", "self")
	defer t.T.done()
	return int64(C.ow_tensor_offset(c))
}

// ElementSize is how many bytes an element has.
func (t Tensor) ElementSize() int64 {
	c := t.check("ElementSize", "self")
	defer t.T.done()
	return int64(C.ow_tensor_element_size(c))
}

// Nbytes is how many bytes all elements have.
func (t Tensor) Nbytes() int64 {
	c := t.check("Nbytes", "self")
	defer t.T.done()
	return int64(C.ow_tensor_nbytes(c))
}

// IsContiguous says whether the elements lie one behind the other in row-major order.
func (t Tensor) IsContiguous() bool {
	c := t.check("IsContiguous", "self")
	defer t.T.done()
	return bool(C.ow_tensor_is_contiguous(c))
}

// SameAs says whether both refer to one tensor.
func (t Tensor) SameAs(other Tensor) bool {
	a := t.c("SameAs", "self")
	defer t.T.done()
	b := other.c("SameAs", "other")
	defer other.T.done()
	return bool(C.ow_tensor_is_same(a, b))
}

// SharesMemory says whether both are in one storage.
func (t Tensor) SharesMemory(other Tensor) bool {
	a := t.c("SharesMemory", "self")
	defer t.T.done()
	b := other.c("SharesMemory", "other")
	defer other.T.done()
	return bool(C.ow_tensor_shares_memory(a, b))
}

// DataPtr is where the first element is; nil on the meta device. It is valid as long as the tensor
// is kept alive.
func (t Tensor) DataPtr() unsafe.Pointer {
	c := t.check("DataPtr", "self")
	defer t.T.done()
	return C.ow_tensor_data(c)
}

// ItemScalar is the only element.
func (t Tensor) ItemScalar() Scalar {
	var result C.ow_scalar
	err := C.ow_tensor_item(t.c("ItemScalar", "self"), &result)
	t.T.done()
	mustOf("ItemScalar", err)
	return scalarOf(result)
}

// Item is the only element, of the type of Go that the dtype has: a float32, a bool ...
func (t Tensor) Item() any {
	item := t.ItemScalar()
	switch t.Dtype() {
	case Bool:
		return item.Bool()
	case UInt8:
		return uint8(item.Int())
	case UInt16:
		return uint16(item.Int())
	case UInt32:
		return uint32(item.Int())
	case UInt64:
		return ToSlice[uint64](t)[0] // a Scalar rounds what is too large for an int64
	case Int8:
		return int8(item.Int())
	case Int16:
		return int16(item.Int())
	case Int32:
		return int32(item.Int())
	case Int64:
		return item.Int()
	case Half:
		return NewFloat16(float32(item.Float()))
	case BFloat:
		return NewBFloat16(float32(item.Float()))
	case Float32:
		return float32(item.Float())
	case Float64:
		return item.Float()
	case Complex64:
		return complex64(item.Complex())
	case Complex128:
		return item.Complex()
	}
	return item
}
