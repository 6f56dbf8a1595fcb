package opwright

/*
#cgo noescape ow_generator_new
#cgo nocallback ow_generator_new
#cgo noescape ow_tensor_storage
#cgo nocallback ow_tensor_storage
#include <opwright.h>
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Generator is a source of random numbers. A nil one stands for the default generator.
type Generator struct {
	handle  slot
	cleanup runtime.Cleanup
}

// NewGenerator makes a source of random numbers of one's own.
func NewGenerator(seed uint64) *Generator {
	var result *C.ow_generator
	mustOf("NewGenerator", C.ow_generator_new(C.uint64_t(seed), &result))
	g := &Generator{}
	g.handle.fill(unsafe.Pointer(result))
	g.cleanup = runtime.AddCleanup(g, func(c *C.ow_generator) { C.ow_generator_free(c) }, result)
	return g
}

// ManualSeed starts the generator anew; nil is the default one.
func (g *Generator) ManualSeed(seed uint64) {
	if g == nil {
		ManualSeed(seed)
		return
	}
	C.ow_generator_manual_seed(g.c("ManualSeed", "g"), C.uint64_t(seed))
	g.done()
}

// Close frees the generator now. A second call does nothing.
func (g *Generator) Close() {
	if g == nil {
		return
	}
	// What a call uses is left to the collector.
	if c, isUsed := g.handle.empty(); c != nil && !isUsed {
		g.cleanup.Stop()
		C.ow_generator_free((*C.ow_generator)(c))
	}
	runtime.KeepAlive(g)
}

func (g *Generator) done() {
	if g != nil {
		g.handle.done()
	}
}

func (g *Generator) c(op, argument string) *C.ow_generator {
	if g == nil {
		return nil
	}
	c := (*C.ow_generator)(g.handle.use())
	if c == nil {
		fail(ErrValue, op, "argument '%s': the generator was closed", argument)
	}
	return c
}

// Storage is the memory of tensors.
type Storage struct {
	handle  slot
	cleanup runtime.Cleanup
}

func adoptStorage(c *C.ow_storage) *Storage {
	if c == nil {
		return nil
	}
	s := &Storage{}
	s.handle.fill(unsafe.Pointer(c))
	s.cleanup = runtime.AddCleanup(s, func(c *C.ow_storage) { C.ow_storage_free(c) }, c)
	return s
}

// Storage is the memory that the tensor is in; nil on the meta device.
func (t Tensor) Storage() *Storage {
	var result *C.ow_storage
	err := C.ow_tensor_storage(t.c("Storage", "self"), &result)
	t.T.done()
	mustOf("Storage", err)
	return adoptStorage(result)
}

// Bytes is the size; 0 for nil.
func (s *Storage) Bytes() int64 {
	c := s.c("Bytes", "s")
	defer s.done()
	return int64(C.ow_storage_bytes(c))
}

// DataPtr is where the first byte is, as long as the storage is kept alive; nil for nil.
func (s *Storage) DataPtr() unsafe.Pointer {
	c := s.c("DataPtr", "s")
	defer s.done()
	return C.ow_storage_data(c)
}

// Close gives the storage up now; its memory is freed when no tensor is in it. A second call does
// nothing.
func (s *Storage) Close() {
	if s == nil {
		return
	}
	// What a call uses is left to the collector.
	if c, isUsed := s.handle.empty(); c != nil && !isUsed {
		s.cleanup.Stop()
		C.ow_storage_free((*C.ow_storage)(c))
	}
	runtime.KeepAlive(s)
}

func (s *Storage) done() {
	if s != nil {
		s.handle.done()
	}
}

func (s *Storage) c(op, argument string) *C.ow_storage {
	if s == nil {
		return nil
	}
	c := (*C.ow_storage)(s.handle.use())
	if c == nil {
		fail(ErrValue, op, "argument '%s': the storage was closed", argument)
	}
	return c
}
