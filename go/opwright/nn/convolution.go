package nn

import (
	"math"
	"slices"

	"github.com/opwright/opwright/go/opwright"
)

// Conv2d is the sums of products of windows of images, which have the shape [images, in, height,
// width], with each of its filters.
type Conv2d struct {
	Weight   opwright.Tensor // [out, in / groups, height, width]
	Bias     opwright.Tensor // [out], or the zero Tensor
	Stride   []int64         // how far windows lie apart; nil is 1
	Padding  []int64         // how many zeros lie around an image; nil is 0
	Dilation []int64         // how far elements of a window lie apart; nil is 1
	Groups   int64           // of so many groups of channels each is filtered by itself; 0 is 1
}

// Conv2dOpts are options of [NewConv2d].
type Conv2dOpts struct {
	Stride   []int64        // default []int64{1}
	Padding  []int64        // default []int64{0}
	Dilation []int64        // default []int64{1}
	Groups   *int64         // default 1
	Bias     *bool          // default true
	Dtype    opwright.DType // default the default dtype
}

// NewConv2d makes a layer whose parameters are drawn evenly, up to 1/sqrt(n) from zero, where n is how
// many elements a window has. The size of a window is its height and width, or one number for both. It
// panics with kind opwright.ErrValue if the size is another list, or groups do not divide the channels.
func NewConv2d(in, out int64, kernelSize []int64, opts ...Conv2dOpts) *Conv2d {
	o := only(opts, "NewConv2d")
	groups := int64(1)
	if o.Groups != nil {
		groups = *o.Groups
	}
	if groups < 1 || in%groups != 0 || out%groups != 0 {
		refuse("NewConv2d", "argument 'Groups' is %d, which does not divide %d and %d channels", groups, in, out)
	}
	size := slices.Clone(kernelSize)
	if len(size) == 1 {
		size = append(size, size[0])
	}
	if len(size) != 2 || size[0] < 1 || size[1] < 1 {
		refuse("NewConv2d", "argument 'kernelSize' is %v, expected one or two positive numbers", kernelSize)
	}
	weight := empty(o.Dtype, out, in/groups, size[0], size[1])
	layer := &Conv2d{weight, opwright.Tensor{}, o.Stride, o.Padding, o.Dilation, groups}
	if o.Bias == nil || *o.Bias {
		layer.Bias = empty(o.Dtype, out)
	}
	drawEvenly(in/groups*size[0]*size[1], layer.Weight, layer.Bias)
	return layer
}

// Forward is an image of sums for each image of x.
func (c *Conv2d) Forward(x opwright.Tensor) opwright.Tensor {
	options := opwright.Conv2dOpts{Bias: c.Bias, Stride: c.Stride, Padding: c.Padding, Dilation: c.Dilation}
	if c.Groups != 0 {
		options.Groups = &c.Groups
	}
	return opwright.Conv2d(x, c.Weight, options)
}

// drawEvenly begins the parameters of a layer each of whose outputs is a sum of so many products: up to
// 1/sqrt(in) from zero.
func drawEvenly(in int64, parameters ...opwright.Tensor) {
	bound := 0.0
	if in > 0 {
		bound = 1 / math.Sqrt(float64(in))
	}
	for _, parameter := range parameters {
		if parameter.Defined() {
			Uniform(parameter, -bound, bound).SetRequiresGrad(true)
		}
	}
}

// MaxPool2d is the module of [opwright.MaxPool2d]: the greatest element of each window.
func MaxPool2d(kernelSize []int64, opts ...opwright.MaxPool2dOpts) Func {
	return func(x opwright.Tensor) opwright.Tensor { return opwright.MaxPool2d(x, kernelSize, opts...) }
}

// AvgPool2d is the module of [opwright.AvgPool2d]: the mean of each window.
func AvgPool2d(kernelSize []int64, opts ...opwright.AvgPool2dOpts) Func {
	return func(x opwright.Tensor) opwright.Tensor { return opwright.AvgPool2d(x, kernelSize, opts...) }
}

// Flatten is the module that makes one dimension of all but the first.
var Flatten = Func(func(x opwright.Tensor) opwright.Tensor {
	return opwright.Flatten(x, opwright.FlattenOpts{StartDim: opwright.Ptr(int64(1))})
})
