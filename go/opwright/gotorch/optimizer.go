package gotorch

import (
	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/optim"
)

// Optimizer changes parameters by their gradients, once it has some.
type Optimizer struct{ optim.Optimizer }

// later makes an optimizer as soon as there are parameters.
type later struct {
	optim.Optimizer
	of func(parameters []Tensor) optim.Optimizer
}

// optimizer is one that gets its parameters later; wrong options are refused now.
func optimizer(of func(parameters []Tensor) optim.Optimizer) Optimizer {
	any := opwright.FromSlice([]float32{0})
	defer any.Close()
	of([]Tensor{any})
	return Optimizer{&later{of: of}}
}

func (l *later) Add(parameters ...Tensor) {
	if l.Optimizer == nil {
		l.Optimizer = l.of(parameters)
	} else {
		l.Optimizer.Add(parameters...)
	}
}

func (l *later) Step()            { l.made("Step").Step() }
func (l *later) ZeroGrad()        { l.made("ZeroGrad").ZeroGrad() }
func (l *later) SetLR(lr float64) { l.made("SetLR").SetLR(lr) }

func (l *later) made(op string) optim.Optimizer {
	if l.Optimizer == nil {
		panic(&opwright.Error{Kind: opwright.ErrValue, Op: op, Message: op + "(): the optimizer has no parameters: AddParameters gives it some"})
	}
	return l.Optimizer
}

// SGD makes an optimizer that makes steps against the gradient.
func SGD(lr, momentum, dampening, weightDecay float64, nesterov bool) Optimizer {
	return optimizer(func(parameters []Tensor) optim.Optimizer {
		return optim.NewSGD(parameters, lr, optim.SGDOpts{
			Momentum:    momentum,
			Dampening:   dampening,
			WeightDecay: weightDecay,
			Nesterov:    nesterov,
		})
	})
}

// Adam makes an optimizer whose steps adapt to how great gradients are.
func Adam(lr, beta1, beta2, weightDecay float64) Optimizer {
	return optimizer(func(parameters []Tensor) optim.Optimizer {
		return optim.NewAdam(parameters, lr, optim.AdamOpts{
			Beta1:       opwright.Ptr(beta1),
			Beta2:       opwright.Ptr(beta2),
			WeightDecay: weightDecay,
		})
	})
}

// AddParameters gives the optimizer parameters.
func (o Optimizer) AddParameters(parameters []Tensor) { o.Add(parameters...) }

// Close does nothing: what an optimizer remembers is collected.
func (o Optimizer) Close() {}
