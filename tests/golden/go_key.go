// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_ending
#cgo nocallback ow_ending
#cgo noescape ow_mixed
#cgo nocallback ow_mixed
#cgo noescape ow_mixed_dim_intlist
#cgo nocallback ow_mixed_dim_intlist
#cgo noescape ow_mixed_out
#cgo nocallback ow_mixed_out
#cgo noescape ow_nn_bent
#cgo nocallback ow_nn_bent
#cgo noescape ow_pressed
#cgo nocallback ow_pressed
#cgo noescape ow_pressed_dims
#cgo nocallback ow_pressed_dims
#cgo noescape ow_scope
#cgo nocallback ow_scope
#cgo noescape ow_shape
#cgo nocallback ow_shape
#include <opwright.h>
*/
import "C"

// Ending calls the operator `ending`.
//
//	ending(Tensor self) -> int?
func Ending(t Tensor) *int64 {
	var r0 C.int64_t
	var h0 C.bool
	err := C.ow_ending(t.c("ending", "self"), &r0, &h0)
	t.T.done()
	must(err)
	var v0 *int64
	if h0 {
		v0 = Ptr(int64(r0))
	}
	return v0
}

// MiXed calls the operator `mixed`.
//
//	mixed(Tensor self, Tensor other) -> Tensor
func MiXed(t, other Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_mixed(t.c("mixed", "self"), other.c("mixed", "other"), &r0)
	t.T.done()
	other.T.done()
	must(err)
	return adopt(r0)
}

// MiXedDims calls the operator `mixed.dim_IntList`.
//
//	mixed.dim_IntList(Tensor self, int[1]? dim, *, bool keepdim=False) -> (Tensor values, Tensor indices)
//
// Defaults: Keepdim false.
func MiXedDims(t Tensor, dim []int64, opts ...MiXedDimsOpts) (values, indices Tensor) {
	o := only(opts, "mixed")
	var r0 *C.ow_tensor
	var r1 *C.ow_tensor
	err := C.ow_mixed_dim_intlist(t.c("mixed", "self"), (*C.int64_t)(given(dim)), C.size_t(len(dim)), C.bool(or(o.Keepdim, false)), &r0, &r1)
	t.T.done()
	must(err)
	return adopt(r0), adopt(r1)
}

// MiXedOut is MiXed that writes to out.
//
//	mixed.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
func MiXedOut(t, other, out Tensor) Tensor {
	err := C.ow_mixed_out(t.c("mixed", "self"), other.c("mixed", "other"), out.c("mixed", "out"))
	t.T.done()
	other.T.done()
	out.T.done()
	must(err)
	return out
}

// NNBent calls the operator `nn_bent`.
//
//	nn_bent(Tensor self, Tensor? weight=None) -> Tensor
//
// Defaults: Weight none.
func NNBent(t Tensor, opts ...NNBentOpts) Tensor {
	o := only(opts, "nn_bent")
	var r0 *C.ow_tensor
	err := C.ow_nn_bent(t.c("nn_bent", "self"), o.Weight.c("nn_bent", "weight"), &r0)
	t.T.done()
	o.Weight.T.done()
	must(err)
	return adopt(r0)
}

// Pressed calls the operator `pressed`.
//
//	pressed(Tensor self) -> Tensor
//	pressed.dims(Tensor self, int[] dim) -> Tensor
func Pressed(t Tensor, dim ...int64) Tensor {
	if len(dim) > 0 {
		var r0 *C.ow_tensor
		err := C.ow_pressed_dims(t.c("pressed", "self"), (*C.int64_t)(pointer(dim)), C.size_t(len(dim)), &r0)
		t.T.done()
		must(err)
		return adopt(r0)
	}
	var r0 *C.ow_tensor
	err := C.ow_pressed(t.c("pressed", "self"), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// ScopeOp adds nothing to what people wrote.
//
// More of it.
//
//	scope(Tensor self) -> Tensor
func ScopeOp(t Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_scope(t.c("scope", "self"), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// Shape calls the operator `shape`.
//
//	shape(Tensor self) -> Tensor
func Shape(t Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_shape(t.c("shape", "self"), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// MiXed calls the operator `mixed`.
//
// See the function [MiXed].
func (t Tensor) MiXed(other Tensor) Tensor {
	return MiXed(t, other)
}

// MiXedDims calls the operator `mixed.dim_IntList`.
//
// See the function [MiXedDims].
func (t Tensor) MiXedDims(dim []int64, opts ...MiXedDimsOpts) (values, indices Tensor) {
	return MiXedDims(t, dim, opts...)
}

// Pressed calls the operator `pressed`.
//
// See the function [Pressed].
func (t Tensor) Pressed(dim ...int64) Tensor {
	return Pressed(t, dim...)
}

// opwright/options_gen.go

package opwright

// MiXedDimsOpts are the options of [MiXedDims].
type MiXedDimsOpts struct {
	Keepdim *bool // default false
}

// NNBentOpts are the options of [NNBent].
type NNBentOpts struct {
	Weight Tensor // default none
}

// opwright/examples_gen_test.go

package opwright_test

import (
	"fmt"

	"github.com/opwright/opwright/go/opwright"
)

func ExampleScopeOp() {
	fmt.Println(opwright.ScopeOp(x))
	// Output: x
}

// opwright/nn/functional/functional_gen.go

// Package functional has the functions of opwright for `nn` under short names.
package functional

import "github.com/opwright/opwright/go/opwright"

// BentOpts are the options of [Bent].
type BentOpts = opwright.NNBentOpts

// Bent calls the operator `nn_bent`.
//
// See [opwright.NNBent].
func Bent(t opwright.Tensor, opts ...BentOpts) opwright.Tensor {
	return opwright.NNBent(t, opts...)
}

