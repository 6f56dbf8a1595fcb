// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_gathered
#cgo nocallback ow_gathered
#cgo noescape ow_settings
#cgo nocallback ow_settings
#include <opwright.h>
*/
import "C"

import (
	"cmp"
)

// Gathered calls the operator `gathered`.
//
//	gathered(Tensor[] tensors, Tensor?[] masks, int[2] padding=0, int[]? order=None, float[]? weights=None) -> Tensor[]
//
// Defaults: Padding []int64{0}, Order none, Weights none.
func Gathered(tensors, masks []Tensor, opts ...GatheredOpts) []Tensor {
	o := only(opts, "gathered")
	var b0 [8]*C.ow_tensor
	c0 := handles(b0[:0], tensors, "gathered", "tensors")
	var b1 [8]*C.ow_tensor
	c1 := handles(b1[:0], masks, "gathered", "masks")
	p2 := o.Padding
	if p2 == nil {
		p2 = []int64{0}
	}
	var r0 C.ow_tensor_list
	err := C.ow_gathered(pointer(c0), C.size_t(len(c0)), pointer(c1), C.size_t(len(c1)), (*C.int64_t)(pointer(p2)), C.size_t(len(p2)), (*C.int64_t)(given(o.Order)), C.size_t(len(o.Order)), (*C.double)(given(o.Weights)), C.size_t(len(o.Weights)), &r0)
	keep(tensors)
	keep(masks)
	must(err)
	return adoptAll(&r0)
}

// Settings calls the operator `settings`.
//
//	settings(Tensor self, str mode='line\'s', str? other=None, float eps=1e-05, int reduction=Mean, int[2] dims=[-2,-1], Scalar? limit=None, MemoryFormat memory_format=contiguous_format) -> (int, float, bool, str)
//
// Defaults: Mode "line's", Other none, Eps 1e-5, Reduction 1, Dims []int64{-2, -1}, Limit none,
// MemoryFormat ContiguousFormat.
func Settings(self Tensor, opts ...SettingsOpts) (result0 int64, result1 float64, result2 bool, result3 string) {
	o := only(opts, "settings")
	p5 := o.Dims
	if p5 == nil {
		p5 = []int64{-2, -1}
	}
	var r0 C.int64_t
	var r1 C.double
	var r2 C.bool
	var r3 *C.char
	var err *C.ow_error
	withString(or(o.Mode, "line's"), "settings", "mode", func(g1 *C.char) {
		withOptionalString(o.Other, "settings", "other", func(g2 *C.char) {
			err = C.ow_settings(self.c("settings", "self"), g1, g2, C.double(or(o.Eps, 1e-5)), C.int64_t(or(o.Reduction, 1)), (*C.int64_t)(pointer(p5)), C.size_t(len(p5)), scalarPointer(o.Limit), cmp.Or(o.MemoryFormat, ContiguousFormat).c(), &r0, &r1, &r2, &r3)
		})
	})
	self.T.done()
	must(err)
	return int64(r0), float64(r1), bool(r2), takeText(r3)
}

// opwright/options_gen.go

package opwright

// GatheredOpts are the options of [Gathered].
type GatheredOpts struct {
	Padding []int64   // default []int64{0}
	Order   []int64   // default none
	Weights []float64 // default none
}

// SettingsOpts are the options of [Settings].
type SettingsOpts struct {
	Mode         *string      // default "line's"
	Other        *string      // default none
	Eps          *float64     // default 1e-5
	Reduction    *int64       // default 1
	Dims         []int64      // default []int64{-2, -1}
	Limit        *Scalar      // default none
	MemoryFormat MemoryFormat // default ContiguousFormat
}

