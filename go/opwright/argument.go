package opwright

/*
#cgo noescape ow_string_free
#cgo nocallback ow_string_free
#cgo noescape ow_tensor_list_free
#cgo nocallback ow_tensor_list_free
#cgo noescape ow_int_list_free
#cgo nocallback ow_int_list_free
#include <stdlib.h>
#include <opwright.h>
*/
import "C"

import (
	"slices"
	"strings"
	"unsafe"
)

// Ptr makes a pointer to a value, for fields of options.
func Ptr[T any](v T) *T { return &v }

// only is what a call gives as its options.
func only[T any](options []T, op string) (given T) {
	switch len(options) {
	case 0:
	case 1:
		given = options[0]
	default:
		fail(ErrType, op, "argument 'opts': %d structs of options are given, expected at most one", len(options))
	}
	return given
}

// or is what a pointer points to, or a default.
func or[T any](p *T, value T) T {
	if p == nil {
		return value
	}
	return *p
}

// pointer is where the elements of a list are.
func pointer[T any](list []T) *T { return unsafe.SliceData(list) }

// given is where the elements of an optional list are: nil if the list is.
func given[T any](list []T) *T {
	if list != nil && cap(list) == 0 {
		return new(T)
	}
	return unsafe.SliceData(list)
}

// as is a pointer to what C calls otherwise, and lays out in the same way.
func as[C, T any](p *T) *C { return (*C)(unsafe.Pointer(p)) }

// withString lends a text to C.
func withString(text, op, argument string, f func(*C.char)) {
	if strings.IndexByte(text, 0) >= 0 {
		fail(ErrValue, op, "argument '%s' is %q, which contains a NUL", argument, text)
	}
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	f(c)
}

// withOptionalString lends a text to C, or NULL.
func withOptionalString(text *string, op, argument string, f func(*C.char)) {
	if text == nil {
		f(nil)
		return
	}
	withString(*text, op, argument, f)
}

// withStrings lends texts to C.
func withStrings(texts []string, op, argument string, f func(**C.char, C.size_t)) {
	lent := make([]*C.char, 0, len(texts))
	var next func()
	next = func() {
		if len(lent) == len(texts) {
			f(pointer(lent), C.size_t(len(lent)))
			return
		}
		withString(texts[len(lent)], op, argument, func(c *C.char) {
			lent = append(lent, c)
			next()
		})
	}
	next()
}

// takeText copies a text of the library and frees it.
func takeText(c *C.char) string {
	defer C.ow_string_free(c)
	return C.GoString(c)
}

// takeInts copies integers of the library and frees them.
func takeInts(list *C.ow_int_list) []int64 {
	defer C.ow_int_list_free(list)
	return slices.Clone(unsafe.Slice((*int64)(list.data), list.len))
}

// adoptAll makes tensors of handles in a list, and frees the list.
func adoptAll(list *C.ow_tensor_list) []Tensor {
	defer C.ow_tensor_list_free(list)
	tensors := make([]Tensor, list.len)
	for i, c := range unsafe.Slice(list.data, list.len) {
		tensors[i] = adopt(c)
	}
	clear(unsafe.Slice(list.data, list.len))
	return tensors
}
