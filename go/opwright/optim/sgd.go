package optim

import "github.com/opwright/opwright/go/opwright"

// SGD makes steps against the gradient.
type SGD struct {
	parameters
	options    SGDOpts
	velocities map[int]opwright.Tensor // by the positions of parameters
}

// SGDOpts are options of [NewSGD].
type SGDOpts struct {
	Momentum    float64 // how much of the last step is made again
	Dampening   float64 // how much of the gradient is left out then
	WeightDecay float64 // this times the parameter is added to the gradient
	Nesterov    bool    // looks ahead by the momentum
	Maximize    bool    // up instead of down
}

// NewSGD makes an optimizer of parameters, with steps of length lr.
func NewSGD(parameters []opwright.Tensor, lr float64, opts ...SGDOpts) *SGD {
	sgd := &SGD{velocities: map[int]opwright.Tensor{}}
	sgd.options = only(opts, "NewSGD")
	o := sgd.options
	notNegative("NewSGD", []string{"Momentum", "WeightDecay"}, o.Momentum, o.WeightDecay)
	if o.Nesterov && (o.Momentum == 0 || o.Dampening != 0) {
		refuse("NewSGD", "option 'Nesterov' needs a momentum, and a dampening of zero")
	}
	sgd.SetLR(lr)
	sgd.add("NewSGD", parameters)
	return sgd
}

// Step changes all parameters that have gradients.
func (s *SGD) Step() {
	s.check("Step")
	opwright.NoGrad(func() { opwright.Scope(s.step) })
}

func (s *SGD) step() {
	at, learnt, gradients := s.slopes()
	var known, fresh batch
	for i, position := range at {
		velocity, there := s.velocities[position]
		if there || s.options.Momentum == 0 {
			known.add(learnt[i], gradients[i], velocity)
			continue
		}
		velocity = forever(func() opwright.Tensor { return opwright.EmptyLike(learnt[i]) })
		s.velocities[position] = velocity
		fresh.add(learnt[i], gradients[i], velocity)
	}
	s.update(fresh, true)
	s.update(known, s.options.Momentum == 0)
}

// A batch is what is changed in one call.
type batch struct{ learnt, gradients, velocities []opwright.Tensor }

func (b *batch) add(learnt, gradient, velocity opwright.Tensor) {
	b.learnt, b.gradients = append(b.learnt, learnt), append(b.gradients, gradient)
	if velocity.Defined() {
		b.velocities = append(b.velocities, velocity)
	}
}

func (s *SGD) update(b batch, isFirst bool) {
	if len(b.learnt) == 0 {
		return
	}
	o := s.options
	opwright.InternalFusedSGDI(b.learnt, b.gradients, b.velocities, o.WeightDecay, o.Momentum, s.lr, o.Dampening, o.Nesterov, o.Maximize, isFirst)
}
