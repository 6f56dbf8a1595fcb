// Package preamble calls the library as a program does that needs more than package opwright has:
// by a preamble of its own over the same header.
package preamble

/*
#cgo !opwright_pkgconfig,!opwright_local,!opwright_static,!windows CFLAGS: -I${SRCDIR}/../..
#cgo opwright_pkgconfig pkg-config: opwright
#cgo windows,!opwright_pkgconfig,!opwright_local,!opwright_static pkg-config: opwright
#cgo opwright_local CFLAGS: -I${SRCDIR}/../../../../target/c/include
#cgo opwright_local LDFLAGS: -L${SRCDIR}/../../../../target/c/lib -lopwright -Wl,-rpath,${SRCDIR}/../../../../target/c/lib
#cgo opwright_static CFLAGS: -I${SRCDIR}/../../../../target/c/include -DOW_STATIC
#cgo noescape nothing
#cgo nocallback nothing
#cgo noescape ow_add_tensor
#cgo nocallback ow_add_tensor
#include <opwright.h>

static void nothing(void) {}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Version is the library's version.
func Version() string { return C.GoString(C.ow_version()) }

// Nothing calls a function that does nothing, to measure what a call costs.
func Nothing() { C.nothing() }

// Finalized is a tensor as GoTorch has it, to measure what that costs: a finalizer frees it, and
// nothing keeps arguments from being collected during a call.
type Finalized struct{ c *C.ow_tensor }

// NewFinalized is a vector of these numbers.
func NewFinalized(numbers []float32) *Finalized {
	var c *C.ow_tensor
	size := C.int64_t(len(numbers))
	succeeded(C.ow_tensor_from_data(unsafe.Pointer(unsafe.SliceData(numbers)), &size, 1, C.OW_FLOAT32, &c))
	return finalized(c)
}

// Add is the sum of both.
func (t *Finalized) Add(other *Finalized) *Finalized {
	var c *C.ow_tensor
	succeeded(C.ow_add_tensor(t.c, other.c, C.ow_scalar{kind: C.OW_SCALAR_INT, i: 1}, &c))
	return finalized(c)
}

func finalized(c *C.ow_tensor) *Finalized {
	t := &Finalized{c}
	runtime.SetFinalizer(t, func(t *Finalized) { C.ow_tensor_free(t.c) })
	return t
}

func succeeded(err *C.ow_error) {
	if err != nil {
		panic(C.GoString(err.message))
	}
}
