package opwright

/*
#cgo noescape ow_tensor_from_data
#cgo nocallback ow_tensor_from_data
#cgo noescape ow_tensor_copy_to
#cgo nocallback ow_tensor_copy_to
#include <opwright.h>
*/
import "C"

import (
	"reflect"
	"unsafe"
)

// FromSlice copies elements into a new tensor, in row-major order. Without sizes it has one
// dimension.
func FromSlice[T Element](data []T, sizes ...int64) Tensor {
	if len(sizes) == 0 {
		sizes = []int64{int64(len(data))}
	}
	checkCount("FromSlice", len(data), sizes)
	return fromData("FromSlice", unsafe.Pointer(pointer(data)), sizes, DTypeOf[T]())
}

// checkCount refuses a slice of another length than the sizes say.
func checkCount(op string, count int, sizes []int64) {
	wanted := int64(1)
	for _, size := range sizes {
		if size < 0 {
			fail(ErrRuntime, op, "argument 'sizes' is %v, but a size cannot be negative", sizes)
		}
		if size > 0 && wanted > int64(count)/size {
			wanted = int64(count) + 1 // too many, whatever follows, unless a size is zero
			continue
		}
		wanted *= size
	}
	if wanted != int64(count) {
		fail(ErrRuntime, op, "argument 'data' has %d elements, but sizes %v are of another number", count, sizes)
	}
}

// fromData copies elements.
func fromData(op string, data unsafe.Pointer, sizes []int64, dtype DType) Tensor {
	var result *C.ow_tensor
	err := C.ow_tensor_from_data(data, (*C.int64_t)(pointer(sizes)), C.size_t(len(sizes)), dtype.c(), &result)
	mustOf(op, err)
	return adopt(result)
}

// ToSlice copies the elements of a tensor in row-major order, whatever its strides. T must be the
// type of the elements.
func ToSlice[T Element](t Tensor) []T {
	checkElements[T]("ToSlice", t)
	elements := make([]T, t.Numel())
	err := C.ow_tensor_copy_to(t.c("ToSlice", "t"), unsafe.Pointer(pointer(elements)), C.size_t(len(elements))*C.size_t(unsafe.Sizeof(*new(T))))
	t.T.done()
	mustOf("ToSlice", err)
	return elements
}

// Data lends the elements of a contiguous tensor to f, which may change them. They must not be used
// after f has returned, and the tensor cannot be closed before. T must be the type of the elements.
func Data[T Element](t Tensor, f func([]T)) {
	checkElements[T]("Data", t)
	if !t.IsContiguous() {
		fail(ErrRuntime, "Data", "argument 't' is not contiguous, so that its elements are no slice; ToSlice copies them")
	}
	t.check("Data", "t")
	t.T.lent.Add(1)
	defer func() {
		t.T.lent.Add(-1)
		t.T.done()
	}()
	count, data := t.Numel(), t.DataPtr()
	if data == nil && count > 0 {
		fail(ErrNotImplemented, "Data", "argument 't' is a meta tensor, which has no elements")
	}
	f(unsafe.Slice((*T)(data), count))
}

func checkElements[T Element](op string, t Tensor) {
	t.check(op, "t")
	defer t.T.done()
	if own := t.Dtype(); own != DTypeOf[T]() {
		fail(ErrType, op, "argument 't' has dtype %v, whose elements are no %v", own, reflect.TypeFor[T]())
	}
}

// NewTensor copies numbers and bools, and nested slices and arrays of them, into a new tensor. It
// has a dimension for each level; those of one level must be equally long. Elements of type int
// become int64, and of type uint uint64.
func NewTensor(data any) Tensor {
	value := reflect.ValueOf(data)
	sizes, element := nesting(value)
	switch element {
	case reflect.TypeFor[int]():
		element = reflect.TypeFor[int64]()
	case reflect.TypeFor[uint]():
		element = reflect.TypeFor[uint64]()
	}
	if element == nil || dtypeOfElement(reflect.Zero(element).Interface()) == NoDType {
		fail(ErrType, "NewTensor", "argument 'data' is a %T, expected numbers or bools, or nested slices of them", data)
	}
	count := 1
	for _, size := range sizes {
		count *= int(size)
	}
	elements := reflect.MakeSlice(reflect.SliceOf(element), 0, count)
	elements = flattened(elements, value, sizes)
	return fromData("NewTensor", elements.UnsafePointer(), sizes, dtypeOfElement(reflect.Zero(element).Interface()))
}

// nesting is the shape of nested slices, by the first of each level, and the type of the elements.
func nesting(value reflect.Value) (sizes []int64, element reflect.Type) {
	if !value.IsValid() {
		return nil, nil
	}
	element = value.Type()
	for element.Kind() == reflect.Slice || element.Kind() == reflect.Array {
		size := 0
		if value.IsValid() {
			size = value.Len()
		}
		sizes = append(sizes, int64(size))
		element = element.Elem()
		if size == 0 {
			value = reflect.Value{}
		} else {
			value = value.Index(0)
		}
	}
	return sizes, element
}

func flattened(elements, value reflect.Value, sizes []int64) reflect.Value {
	if len(sizes) == 0 {
		return reflect.Append(elements, value.Convert(elements.Type().Elem()))
	}
	if int64(value.Len()) != sizes[0] {
		fail(ErrValue, "NewTensor", "argument 'data' has slices of lengths %d and %d at one level", sizes[0], value.Len())
	}
	if len(sizes) == 1 && value.Kind() == reflect.Slice && value.Type().Elem() == elements.Type().Elem() {
		return reflect.AppendSlice(elements, value.Convert(elements.Type()))
	}
	for i := range value.Len() {
		elements = flattened(elements, value.Index(i), sizes[1:])
	}
	return elements
}

// FromBlob makes a tensor over memory of C that outlives it, with elements in row-major order.
// Memory of Go cannot be shared with a tensor; [FromSlice] copies it.
func FromBlob(data unsafe.Pointer, dtype DType, sizes []int64) Tensor {
	var result *C.ow_tensor
	err := C.ow_tensor_from_blob(data, (*C.int64_t)(pointer(sizes)), C.size_t(len(sizes)), nil, dtype.c(), nil, nil, &result)
	mustOf("FromBlob", err)
	return adopt(result)
}
