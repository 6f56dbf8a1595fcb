package nn

import (
	"math"

	"github.com/opwright/opwright/go/opwright"
)

// Uniform draws the elements evenly from low up to high, unrecorded, and returns the tensor.
func Uniform(t opwright.Tensor, low, high float64) opwright.Tensor {
	opwright.NoGrad(func() {
		t.UniformI(opwright.UniformIOpts{From: &low, To: &high})
	})
	return t
}

// Normal draws the elements from the normal distribution, unrecorded, and returns the tensor.
func Normal(t opwright.Tensor, mean, std float64) opwright.Tensor {
	opwright.NoGrad(func() {
		t.NormalI(opwright.NormalIOpts{Mean: &mean, Std: &std})
	})
	return t
}

// Constant writes one number to all elements, unrecorded, and returns the tensor.
func Constant(t opwright.Tensor, value float64) opwright.Tensor {
	opwright.NoGrad(func() { t.FillI(opwright.Num(value)) })
	return t
}

// XavierUniform draws evenly, so that variances stay alike in both directions through a layer.
func XavierUniform(t opwright.Tensor, gain float64) opwright.Tensor {
	in, out := fans("XavierUniform", t)
	bound := math.Sqrt(3) * gain * math.Sqrt(2/(in+out))
	return Uniform(t, -bound, bound)
}

// KaimingUniform draws evenly, so that variances stay alike through layers with a leaky ReLU of this
// slope; 0 is ReLU.
func KaimingUniform(t opwright.Tensor, slope float64) opwright.Tensor {
	in, _ := fans("KaimingUniform", t)
	bound := math.Sqrt(3) * math.Sqrt(2/(1+slope*slope)) / math.Sqrt(in)
	return Uniform(t, -bound, bound)
}

// fans says with how many elements each output of a layer is connected, and each input.
func fans(op string, t opwright.Tensor) (in, out float64) {
	shape := t.Shape()
	if len(shape) < 2 {
		refuse(op, "argument 't' must have 2 dimensions or more, for outputs and inputs of a layer, but has %d", len(shape))
	}
	window := 1.0
	for _, size := range shape[2:] {
		window *= float64(size)
	}
	return float64(shape[1]) * window, float64(shape[0]) * window
}
