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
	lent    atomic.Int64
}

// A slot has what the library handed out, until it is given back, and counts the calls that use it.
type slot struct {
	c    unsafe.Pointer
	uses atomic.Int64
}

func (s *slot) fill(c unsafe.Pointer) { atomic.StorePointer(&s.c, c) }

// use is what is in the slot for a call, which says done behind it; nil if it was given back.
func (s *slot) use() unsafe.Pointer {
	s.uses.Add(1)
	c := atomic.LoadPointer(&s.c)
	if c == nil {
		s.uses.Add(-1)
	}
	return c
}

func (s *slot) done() { s.uses.Add(-1) }

// empty takes out what is in the slot, and says whether a call uses it still. A call counts itself
// before it looks, and here one looks before the calls are counted: none is missed.
func (s *slot) empty() (c unsafe.Pointer, isUsed bool) {
	c = atomic.SwapPointer(&s.c, nil)
	return c, s.uses.Load() > 0
}

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
// nothing; any other use of the tensor panics with an [*Error] of kind [ErrValue]. A call that is
// running on another goroutine is not disturbed: then the collector frees the handle. While [Data]
// lends the elements, Close panics with kind [ErrRuntime].
func (t Tensor) Close() {
	if t.T == nil {
		return
	}
	if t.T.lent.Load() > 0 {
		fail(ErrRuntime, "Close", "argument 'self': Data lends its elements to a function that is running; close it behind that")
	}
	pointer, isUsed := t.T.c.empty()
	c := (*C.ow_tensor)(pointer)
	switch {
	case c == nil:
	case isUsed:
		t.T.leaveUsed(c)
	default:
		if t.T.scope == nil {
			t.T.cleanup.Stop()
			released()
		}
		C.ow_tensor_free(c)
	}
	runtime.KeepAlive(t.T)
}

// leaveUsed leaves a handle to the collector that was closed while a call used it.
func (h *Handle) leaveUsed(c *C.ow_tensor) {
	if h.scope != nil {
		h.leave(c)
	}
}

// done says that a call is over for which c was asked.
func (h *Handle) done() {
	if h != nil {
		h.c.done()
	}
}

// Ref returns another reference to the same tensor, to be closed or collected by itself.
func (t Tensor) Ref() Tensor {
	var result *C.ow_tensor
	err := C.ow_tensor_clone(t.c("Ref", "self"), &result)
	t.T.done()
	mustOf("Ref", err)
	return adopt(result)
}

// c is the handle for a call, which says T.done() behind it: nil for the zero Tensor. The argument of the operator is what an
// error names, if the tensor was closed.
func (t Tensor) c(op, argument string) *C.ow_tensor {
	if t.T == nil {
		return nil
	}
	c := (*C.ow_tensor)(t.T.c.use())
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

// done says that a call is over for which lent was asked.
func done[T interface{ done() }](all []T) {
	for _, it := range all {
		it.done()
	}
}

// keep says that a call is over for which handles was asked.
func keep(tensors []Tensor) {
	for _, t := range tensors {
		t.T.done()
	}
}
