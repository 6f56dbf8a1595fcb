package opwright

/*
#cgo noescape ow_thread_id
#cgo nocallback ow_thread_id
#cgo noescape ow_tensors_free
#cgo nocallback ow_tensors_free
#include <opwright.h>
*/
import "C"

import (
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
)

// A scope lists what was made in it on its thread.
type scope struct {
	outer   *scope
	handles []*Handle
}

// The scopes that are open: how many, so that most calls need not look further, and the innermost
// one of each thread.
var (
	open    atomic.Int64
	threads struct {
		sync.RWMutex
		scopes map[uint64]*scope
	}
)

// Scope calls f, and closes every tensor that was made in it on this goroutine and not kept by
// [Keep]; also when f panics. Within it small calls are cheaper, since the collector need not know
// their results. Scopes nest. Goroutines that f starts are not in it.
func Scope(f func()) {
	defer enter().leave()
	f()
}

// Keep hands a tensor to the enclosing scope, or if there is none to the collector, and returns it.
func Keep(t Tensor) Tensor {
	if t.T == nil {
		return t
	}
	if scope := innermost(); scope != nil && t.T.scope == scope {
		scope.handOver(t.T)
	}
	return t
}

// ScopeOf is [Scope] for a function with a result: the tensors in it are kept, be it a Tensor or
// a slice, array, map, pointer or struct of them.
func ScopeOf[T any](f func() T) (result T) {
	Scope(func() {
		result = f()
		keepAll(reflect.ValueOf(&result), 0)
	})
	return result
}

func enter() *scope {
	runtime.LockOSThread()
	thread := uint64(C.ow_thread_id())
	threads.Lock()
	defer threads.Unlock()
	if threads.scopes == nil {
		threads.scopes = map[uint64]*scope{}
	}
	scope := &scope{outer: threads.scopes[thread]}
	threads.scopes[thread] = scope
	open.Add(1)
	return scope
}

func (s *scope) leave() {
	thread := uint64(C.ow_thread_id())
	threads.Lock()
	if s.outer == nil {
		delete(threads.scopes, thread)
	} else {
		threads.scopes[thread] = s.outer
	}
	threads.Unlock()
	open.Add(-1)
	s.free()
	runtime.UnlockOSThread()
}

// free closes what is left, with one call.
func (s *scope) free() {
	left := make([]*C.ow_tensor, 0, len(s.handles))
	for _, h := range s.handles {
		if h == nil {
			continue
		}
		if c := (*C.ow_tensor)(h.c.empty()); c != nil {
			left = append(left, c)
		}
	}
	C.ow_tensors_free(pointer(left), C.size_t(len(left)))
}

// innermost is the innermost scope of this thread, if there is one.
func innermost() *scope {
	if open.Load() == 0 {
		return nil
	}
	thread := uint64(C.ow_thread_id())
	threads.RLock()
	defer threads.RUnlock()
	return threads.scopes[thread]
}

func (s *scope) add(h *Handle) {
	h.scope, h.at = s, len(s.handles)
	s.handles = append(s.handles, h)
}

// handOver moves a handle to the enclosing scope, or to the collector.
func (s *scope) handOver(h *Handle) {
	s.handles[h.at] = nil
	h.scope = nil
	if s.outer != nil {
		s.outer.add(h)
	} else if c := (*C.ow_tensor)(h.c.get()); c != nil {
		h.leave(c)
	}
}

// deepest is how deeply ScopeOf looks into its result.
const deepest = 16

var tensorType = reflect.TypeFor[Tensor]()

func keepAll(value reflect.Value, depth int) {
	if depth > deepest {
		return
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			keepAll(value.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			keepAll(value.Index(i), depth+1)
		}
	case reflect.Map:
		for each := value.MapRange(); each.Next(); {
			keepAll(each.Value(), depth+1)
		}
	case reflect.Struct:
		if value.Type() == tensorType {
			Keep(Tensor{(*Handle)(value.Field(0).UnsafePointer())})
			return
		}
		for i := range value.NumField() {
			keepAll(value.Field(i), depth+1)
		}
	}
}
