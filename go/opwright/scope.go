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
	"unsafe"

	"github.com/opwright/opwright/go/opwright/internal/goroutine"
)

// A scope lists what was made in it by its goroutine.
type scope struct {
	goroutine uint64
	outer     *scope
	handles   []*Handle
}

// The scopes that are open: how many, so that most calls need not look further, and of each goroutine
// in the row of its number, the innermost first. Rows are read without a lock, so a place never
// changes.
var (
	open atomic.Int64
	rows [1 << rowBits]struct {
		first atomic.Pointer[place]
		_     [56]byte // rows of others lie in other lines of the cache
	}
	placing sync.Mutex
)

const rowBits = 6

type place struct {
	scope *scope
	next  *place
}

// lists are those of scopes that have ended, empty.
var lists = sync.Pool{New: func() any { return new([]*Handle) }}

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
		new(keeper).keep(reflect.ValueOf(&result).Elem())
	})
	return result
}

// here is a number that the goroutine alone has as long as it is in a scope. Where Go does not say it,
// scopes tie goroutines to threads.
func here() uint64 {
	if goroutine.IsKnown {
		return goroutine.ID()
	}
	return uint64(C.ow_thread_id())
}

// row is where the scopes of a goroutine are.
func row(goroutine uint64) *atomic.Pointer[place] {
	return &rows[goroutine*0x9e3779b97f4a7c15>>(64-rowBits)].first
}

func enter() *scope {
	if !goroutine.IsKnown {
		runtime.LockOSThread()
	}
	s := &scope{goroutine: here(), outer: innermost(), handles: *lists.Get().(*[]*Handle)}
	placing.Lock()
	defer placing.Unlock()
	row := row(s.goroutine)
	row.Store(&place{s, row.Load()})
	open.Add(1)
	return s
}

func (s *scope) leave() {
	placing.Lock()
	row := row(s.goroutine)
	row.Store(row.Load().without(s))
	open.Add(-1)
	placing.Unlock()
	s.free()
	if !goroutine.IsKnown {
		runtime.UnlockOSThread()
	}
}

// without is the places from this one on but for that of a scope.
func (p *place) without(s *scope) *place {
	if p.scope == s {
		return p.next
	}
	return &place{p.scope, p.next.without(s)}
}

// free closes what is left, with one call.
func (s *scope) free() {
	left := make([]*C.ow_tensor, 0, len(s.handles))
	for _, h := range s.handles {
		if h.scope != s {
			continue // it was kept
		}
		pointer, isUsed := h.c.empty()
		switch c := (*C.ow_tensor)(pointer); {
		case c == nil:
		case isUsed:
			h.leaveUsed(c)
		default:
			left = append(left, c)
		}
	}
	C.ow_tensors_free(pointer(left), C.size_t(len(left)))
	clear(s.handles)
	list := s.handles[:0]
	s.handles = nil
	lists.Put(&list)
}

// innermost is the innermost scope of this goroutine, if there is one.
func innermost() *scope {
	if open.Load() == 0 {
		return nil
	}
	here := here()
	for at := row(here).Load(); at != nil; at = at.next {
		if at.scope.goroutine == here {
			return at.scope
		}
	}
	return nil
}

func (s *scope) add(h *Handle) {
	h.scope = s
	s.handles = append(s.handles, h)
}

// handOver moves a handle to the enclosing scope, or to the collector. It stays in the list, which
// looks whether it is still its own.
func (s *scope) handOver(h *Handle) {
	h.scope = nil
	if s.outer != nil {
		s.outer.add(h)
	} else if c := (*C.ow_tensor)(h.c.use()); c != nil {
		h.leave(c)
		h.done()
	}
}

var tensorType = reflect.TypeFor[Tensor]()

// A keeper goes through a value for the tensors in it, and knows where it has been: values may contain
// themselves.
type keeper map[visited]bool

type visited struct {
	at   unsafe.Pointer
	what reflect.Type
	size int
}

// enters says whether what a value refers to has not been looked at, and may have tensors.
func (k *keeper) enters(value reflect.Value, size int) bool {
	if value.IsNil() || value.Type().Elem().Kind() <= reflect.Complex128 {
		return false
	}
	if *k == nil {
		*k = keeper{}
	}
	at := visited{value.UnsafePointer(), value.Type(), size}
	isNew := !(*k)[at]
	(*k)[at] = true
	return isNew
}

func (k *keeper) keep(value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface:
		if !value.IsNil() {
			k.keep(value.Elem())
		}
	case reflect.Pointer:
		if k.enters(value, 1) {
			k.keep(value.Elem())
		}
	case reflect.Slice:
		if k.enters(value, value.Len()) {
			k.keepAll(value)
		}
	case reflect.Array:
		k.keepAll(value)
	case reflect.Map:
		if k.enters(value, 0) {
			for each := value.MapRange(); each.Next(); {
				k.keep(each.Value())
			}
		}
	case reflect.Struct:
		if value.Type() == tensorType {
			Keep(Tensor{(*Handle)(value.Field(0).UnsafePointer())})
			return
		}
		for i := range value.NumField() {
			k.keep(value.Field(i))
		}
	}
}

func (k *keeper) keepAll(elements reflect.Value) {
	for i := range elements.Len() {
		k.keep(elements.Index(i))
	}
}
