package gotorch

import (
	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/optim"
)

// Optimizer changes parameters by their gradients.
type Optimizer struct{ optim.Optimizer }

// SGD makes an optimizer that makes steps against the gradient.
func SGD(lr, momentum, dampening, weightDecay float64, nesterov bool) Optimizer {
	return Optimizer{optim.NewSGD(nil, lr, optim.SGDOpts{
		Momentum:    momentum,
		Dampening:   dampening,
		WeightDecay: weightDecay,
		Nesterov:    nesterov,
	})}
}

// Adam makes an optimizer whose steps adapt to how great gradients are.
func Adam(lr, beta1, beta2, weightDecay float64) Optimizer {
	return Optimizer{optim.NewAdam(nil, lr, optim.AdamOpts{
		Beta1:       opwright.Ptr(beta1),
		Beta2:       opwright.Ptr(beta2),
		WeightDecay: weightDecay,
	})}
}

// AddParameters gives the optimizer parameters.
func (o Optimizer) AddParameters(parameters []Tensor) { o.Add(parameters...) }

// Close does nothing: what an optimizer remembers is collected.
func (o Optimizer) Close() {}
