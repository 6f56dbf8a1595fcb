package nn

import "github.com/opwright/opwright/go/opwright"

// Linear is x times the transposed weight, plus the bias, along the last dimension.
type Linear struct {
	Weight opwright.Tensor // [out, in]
	Bias   opwright.Tensor // [out], or the zero Tensor
}

// LinearOpts are options of [NewLinear].
type LinearOpts struct {
	Bias  *bool          // default true
	Dtype opwright.DType // default the default dtype
}

// NewLinear makes a layer whose parameters are drawn evenly, up to 1/sqrt(in) from zero.
func NewLinear(in, out int64, opts ...LinearOpts) *Linear {
	o := only(opts, "NewLinear")
	layer := &Linear{Weight: empty(o.Dtype, out, in)}
	if o.Bias == nil || *o.Bias {
		layer.Bias = empty(o.Dtype, out)
	}
	drawEvenly(in, layer.Weight, layer.Bias)
	return layer
}

// Forward is the sums of products along the last dimension.
func (l *Linear) Forward(x opwright.Tensor) opwright.Tensor {
	return opwright.Linear(x, l.Weight, opwright.LinearOpts{Bias: l.Bias})
}

func empty(dtype opwright.DType, sizes ...int64) opwright.Tensor {
	return opwright.Empty(sizes, opwright.EmptyOpts{Dtype: dtype})
}

// Sequential calls modules one after the other.
type Sequential struct {
	Modules []Module `nn:"inline"`
}

// NewSequential makes a model of modules that follow each other. It panics with kind
// opwright.ErrType if one of them is nil.
func NewSequential(modules ...Module) *Sequential {
	for i, module := range modules {
		if module == nil {
			fail(opwright.ErrType, "NewSequential", "module %d is nil", i)
		}
	}
	return &Sequential{modules}
}

// Forward is the last module of the one before, and so on down to the first one of x.
func (s *Sequential) Forward(x opwright.Tensor) opwright.Tensor {
	for _, module := range s.Modules {
		x = module.Forward(x)
	}
	return x
}

// Func is a module without parameters: nn.Func(opwright.Relu).
type Func func(opwright.Tensor) opwright.Tensor

// Forward calls the function.
func (f Func) Forward(x opwright.Tensor) opwright.Tensor { return f(x) }

// ReLU is the module of [opwright.Relu].
var ReLU = Func(opwright.Relu)

// Tanh is the module of [opwright.Tanh].
var Tanh = Func(opwright.Tanh)

// Sigmoid is the module of [opwright.Sigmoid].
var Sigmoid = Func(opwright.Sigmoid)

// Dropout replaces elements by zeros at random while it is being trained, and scales up the others.
type Dropout struct {
	P        float64
	training bool
}

// NewDropout makes a layer that replaces so many of the elements; it is being trained. It panics with
// kind opwright.ErrValue if p is not between 0 and 1.
func NewDropout(p float64) *Dropout {
	if !(p >= 0 && p <= 1) {
		refuse("NewDropout", "argument 'p' is %v, expected a number between 0 and 1", p)
	}
	return &Dropout{p, true}
}

// Forward is x with zeros, or x itself if the layer is not being trained.
func (d *Dropout) Forward(x opwright.Tensor) opwright.Tensor {
	return opwright.Dropout(x, d.P, d.training)
}

// SetTraining says whether the layer is being trained.
func (d *Dropout) SetTraining(training bool) { d.training = training }

// BatchNorm scales each channel, along dimension 1, to mean zero and variance one over all other
// dimensions, then by a weight and a bias. While it is being trained, mean and variance are those
// of the batch, which are remembered; afterwards they are those remembered.
type BatchNorm struct {
	Weight      opwright.Tensor
	Bias        opwright.Tensor
	RunningMean opwright.Tensor
	RunningVar  opwright.Tensor
	Eps         float64 // added to variances
	Momentum    float64 // how much of what is remembered is replaced
	training    bool
}

// NewBatchNorm makes a layer of so many channels, which is being trained.
func NewBatchNorm(channels int64) *BatchNorm {
	size := []int64{channels}
	return &BatchNorm{
		Weight:      opwright.Ones(size).SetRequiresGrad(true),
		Bias:        opwright.Zeros(size).SetRequiresGrad(true),
		RunningMean: opwright.Zeros(size),
		RunningVar:  opwright.Ones(size),
		Eps:         1e-5,
		Momentum:    0.1,
		training:    true,
	}
}

// SetTraining says whether the layer is being trained.
func (b *BatchNorm) SetTraining(training bool) { b.training = training }

// Forward is x, scaled.
func (b *BatchNorm) Forward(x opwright.Tensor) opwright.Tensor {
	channels := make([]int64, x.Dim())
	var others []int64
	for dim := range channels {
		channels[dim] = 1
		if dim != 1 {
			others = append(others, int64(dim))
		}
	}
	if len(channels) < 2 || x.Size(1) != b.RunningMean.Numel() {
		refuse("BatchNorm", "argument 'x' of shape %v has no %d channels along dimension 1", x.Shape(), b.RunningMean.Numel())
	}
	channels[1] = x.Size(1)
	mean, variance := b.RunningMean, b.RunningVar
	if b.training {
		mean = opwright.MeanDims(x, others)
		variance = opwright.VarCorrection(x, opwright.VarCorrectionOpts{Dim: others, Correction: opwright.Ptr(opwright.Num(0))})
		b.remember(mean, variance, x.Numel()/x.Size(1))
	}
	scale := variance.AddScalar(opwright.Num(b.Eps)).Rsqrt().Mul(b.Weight)
	shift := b.Bias.Sub(mean.Mul(scale))
	return x.Mul(scale.View(channels...)).Add(shift.View(channels...))
}

func (b *BatchNorm) remember(mean, variance opwright.Tensor, count int64) {
	opwright.NoGrad(func() {
		opwright.Scope(func() {
			unbiased := variance
			if count > 1 {
				unbiased = variance.MulScalar(opwright.Num(float64(count) / float64(count-1)))
			}
			b.RunningMean.LerpI(mean, opwright.Num(b.Momentum))
			b.RunningVar.LerpI(unbiased, opwright.Num(b.Momentum))
		})
	})
}
