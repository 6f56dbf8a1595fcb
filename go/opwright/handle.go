package opwright

/*
#cgo noescape ow_tensor_free
#cgo nocallback ow_tensor_free
#cgo noescape ow_tensor_clone
#cgo nocallback ow_tensor_clone
#include <opwright.h>
*/
import "C"

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Tensor refers to a tensor of the library. The zero value refers to none, and stands for an
// absent argument. It is one pointer, and passed by value.
type Tensor struct{ T *Handle }

// Handle holds a reference to a tensor until it is closed or collected.
type Handle struct {
	c       slot
	cleanup runtime.Cleanup
	scope   *scope // which closes it, instead of the cleanup
}

// A slot has what the library handed out, until it is given back.
type slot struct{ c unsafe.Pointer }

func (s *slot) get() unsafe.Pointer   { return atomic.LoadPointer(&s.c) }
func (s *slot) fill(c unsafe.Pointer) { atomic.StorePointer(&s.c, c) }
func (s *slot) empty() unsafe.Pointer { return atomic.SwapPointer(&s.c, nil) }

// adopt makes a Tensor of a handle that C has handed out.
func adopt(c *C.ow_tensor) Tensor {
	if c == nil {
		return Tensor{}
	}
	h := &Handle{}
	h.c.fill(unsafe.Pointer(c))
	if scope := innermost(); scope != nil {
		scope.add(h)
	} else {
		h.leave(c)
	}
	return Tensor{h}
}

// leave leaves a handle to the collector.
func (h *Handle) leave(c *C.ow_tensor) {
	h.cleanup = runtime.AddCleanup(h, release, c)
	adopted()
}

func release(c *C.ow_tensor) {
	C.ow_tensor_free(c)
	released()
}

// Close frees the tensor's handle now, instead of when it is collected. A second call does
// nothing; any other use of the tensor panics with an [*Error] of kind [ErrValue].
func (t Tensor) Close() {
	if t.T == nil {
		return
	}
	c := (*C.ow_tensor)(t.T.c.empty())
	if c == nil {
		return
	}
	if t.T.scope == nil {
		t.T.cleanup.Stop()
		released()
	}
	C.ow_tensor_free(c)
	runtime.KeepAlive(t.T)
}

// Ref returns another reference to the same tensor, to be closed or collected by itself.
func (t Tensor) Ref() Tensor {
	var result *C.ow_tensor
	err := C.ow_tensor_clone(t.c("ref", "self"), &result)
	runtime.KeepAlive(t.T)
	must(err)
	return adopt(result)
}

// c is the handle for a call: nil for the zero Tensor. The argument of the operator is what an
// error names, if the tensor was closed.
func (t Tensor) c(op, argument string) *C.ow_tensor {
	if t.T == nil {
		return nil
	}
	c := (*C.ow_tensor)(t.T.c.get())
	if c == nil {
		closed(op, argument)
	}
	return c
}

func closed(op, argument string) {
	fail(ErrValue, op, "argument '%s': the tensor was closed", argument)
}

// handles appends the handles of tensors.
func handles(buffer []*C.ow_tensor, tensors []Tensor, op, argument string) []*C.ow_tensor {
	for _, t := range tensors {
		buffer = append(buffer, t.c(op, argument))
	}
	return buffer
}

// lent is the handles of what is no tensor.
func lent[P any, T interface{ c(op, argument string) P }](all []T, op, argument string) []P {
	lent := make([]P, 0, len(all))
	for _, it := range all {
		lent = append(lent, it.c(op, argument))
	}
	return lent
}

// keep keeps tensors from being collected before it is reached.
func keep(tensors []Tensor) {
	for _, t := range tensors {
		runtime.KeepAlive(t.T)
	}
}
