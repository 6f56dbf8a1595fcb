package opwright

/*
#cgo noescape ow_backward
#cgo nocallback ow_backward
#cgo noescape ow_tensor_grad
#cgo nocallback ow_tensor_grad
#cgo noescape ow_grad
#cgo nocallback ow_grad
#include <opwright.h>
*/
import "C"

import "runtime"

// BackwardOpts are options of [Tensor.Backward].
type BackwardOpts struct {
	Gradient    Tensor // of the tensor itself; it must have one element if there is none
	RetainGraph *bool  // default false: the recorded calls are forgotten
}

// Backward adds to the gradients of all tensors that the tensor was computed from.
func (t Tensor) Backward(opts ...BackwardOpts) {
	o := only(opts, "Backward")
	err := C.ow_backward(t.c("Backward", "self"), o.Gradient.c("Backward", "gradient"), C.bool(or(o.RetainGraph, false)))
	t.T.done()
	o.Gradient.T.done()
	mustOf("Backward", err)
}

// Grad is the gradient that was added up; the zero Tensor if there is none.
func (t Tensor) Grad() Tensor {
	var result *C.ow_tensor
	err := C.ow_tensor_grad(t.c("Grad", "self"), &result)
	t.T.done()
	mustOf("Grad", err)
	return adopt(result)
}

// SetGrad puts another gradient in its place, or none with the zero Tensor.
func (t Tensor) SetGrad(gradient Tensor) {
	err := C.ow_tensor_set_grad(t.c("SetGrad", "self"), gradient.c("SetGrad", "gradient"))
	t.T.done()
	gradient.T.done()
	mustOf("SetGrad", err)
}

// RequiresGrad says whether calls with the tensor are recorded.
func (t Tensor) RequiresGrad() bool {
	c := t.check("RequiresGrad", "self")
	defer t.T.done()
	return bool(C.ow_tensor_requires_grad(c))
}

// SetRequiresGrad says whether they are, and returns the tensor.
func (t Tensor) SetRequiresGrad(value bool) Tensor {
	err := C.ow_tensor_set_requires_grad(t.c("SetRequiresGrad", "self"), C.bool(value))
	t.T.done()
	mustOf("SetRequiresGrad", err)
	return t
}

// GradsOpts are options of [Grads].
type GradsOpts struct {
	RetainGraph *bool // default false: the recorded calls are forgotten
	AllowUnused *bool // default false: the zero Tensor for an input that is not used is an error
}

// Grads are the gradients of the inputs, of outputs with one element each.
func Grads(outputs, inputs []Tensor, opts ...GradsOpts) []Tensor {
	o := only(opts, "Grads")
	outs, ins := handles(nil, outputs, "Grads", "outputs"), handles(nil, inputs, "Grads", "inputs")
	var result C.ow_tensor_list
	err := C.ow_grad(pointer(outs), C.size_t(len(outs)), pointer(ins), C.size_t(len(ins)),
		C.bool(or(o.RetainGraph, false)), C.bool(or(o.AllowUnused, false)), &result)
	keep(outputs)
	keep(inputs)
	mustOf("Grads", err)
	return adoptAll(&result)
}

// NoGrad calls f, and records no call that it makes on this goroutine.
func NoGrad(f func()) {
	runtime.LockOSThread()
	before := C.ow_set_grad_enabled(false)
	defer func() {
		C.ow_set_grad_enabled(before)
		runtime.UnlockOSThread()
	}()
	f()
}

// GradEnabled says whether calls are recorded here.
func GradEnabled() bool {
	return bool(C.ow_grad_enabled())
}
