// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_nn_bend
#cgo nocallback ow_nn_bend
#include <opwright.h>
*/
import "C"

// NNBend calls the operator `nn_bend`.
//
//	nn_bend(Tensor self, float slope=0.5, bool inplace=False) -> Tensor
//
// Defaults: Slope 0.5, Inplace false.
func NNBend(t Tensor, opts ...NNBendOpts) Tensor {
	o := only(opts, "nn_bend")
	var r0 *C.ow_tensor
	err := C.ow_nn_bend(t.c("nn_bend", "self"), C.double(or(o.Slope, 0.5)), C.bool(or(o.Inplace, false)), &r0)
	t.T.done()
	must(err)
	return adopt(r0)
}

// opwright/options_gen.go

package opwright

// NNBendOpts are the options of [NNBend].
type NNBendOpts struct {
	Slope   *float64 // default 0.5
	Inplace *bool    // default false
}

// opwright/nn/functional/functional_gen.go

// Package functional has the functions of opwright for `nn` under short names.
package functional

import "github.com/opwright/opwright/go/opwright"

// BendOpts are the options of [Bend].
type BendOpts = opwright.NNBendOpts

// Bend calls the operator `nn_bend`.
//
// See [opwright.NNBend].
func Bend(t opwright.Tensor, opts ...BendOpts) opwright.Tensor {
	return opwright.NNBend(t, opts...)
}

