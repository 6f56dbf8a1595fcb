package optim

import "github.com/opwright/opwright/go/opwright"

// Adam makes steps whose lengths adapt to how great the gradients of each element are.
type Adam struct {
	parameters
	options AdamOpts
	states  map[int]adamState // by the positions of parameters
}

// AdamOpts are options of [NewAdam]. Fields that are nil or zero have their defaults.
type AdamOpts struct {
	Beta1       *float64 // default 0.9: how much of the mean of gradients is kept
	Beta2       *float64 // default 0.999: the same of their squares
	Eps         *float64 // default 1e-8: added to divisors
	WeightDecay float64  // this times the parameter is added to the gradient
	Maximize    bool     // up instead of down
	Decoupled   bool     // parameters shrink by themselves: AdamW
}

type adamState struct{ step, mean, square opwright.Tensor }

// NewAdam makes an optimizer of parameters, with steps of length lr.
func NewAdam(parameters []opwright.Tensor, lr float64, opts ...AdamOpts) *Adam {
	adam := &Adam{states: map[int]adamState{}}
	adam.options = only(opts, "NewAdam")
	o := &adam.options
	for field, value := range map[**float64]float64{&o.Beta1: 0.9, &o.Beta2: 0.999, &o.Eps: 1e-8} {
		if *field == nil {
			*field = opwright.Ptr(value)
		}
	}
	notNegative("NewAdam", []string{"Beta1", "Beta2", "Eps", "WeightDecay"}, *o.Beta1, *o.Beta2, *o.Eps, o.WeightDecay)
	if *o.Beta1 >= 1 || *o.Beta2 >= 1 {
		refuse("NewAdam", "options 'Beta1' and 'Beta2' are %v and %v, but must be below 1", *o.Beta1, *o.Beta2)
	}
	adam.SetLR(lr)
	adam.add("NewAdam", parameters)
	return adam
}

// Step changes all parameters that have gradients.
func (a *Adam) Step() {
	a.check("Step")
	opwright.NoGrad(func() { opwright.Scope(a.step) })
}

func (a *Adam) step() {
	at, learnt, gradients := a.slopes()
	if len(at) == 0 {
		return
	}
	var steps, means, squares []opwright.Tensor
	for i, position := range at {
		state := a.state(position, learnt[i])
		state.step.AddScalarI(opwright.Num(1))
		steps, means, squares = append(steps, state.step), append(means, state.mean), append(squares, state.square)
	}
	o := a.options
	if o.Decoupled {
		opwright.InternalFusedAdamWI(learnt, gradients, means, squares, nil, steps, a.lr, *o.Beta1, *o.Beta2, o.WeightDecay, *o.Eps, false, o.Maximize)
	} else {
		opwright.InternalFusedAdamI(learnt, gradients, means, squares, nil, steps, a.lr, *o.Beta1, *o.Beta2, o.WeightDecay, *o.Eps, false, o.Maximize)
	}
}

// state is what is remembered of a parameter, longer than the scope of a step.
func (a *Adam) state(position int, parameter opwright.Tensor) adamState {
	state, there := a.states[position]
	if !there {
		state = adamState{
			step:   forever(func() opwright.Tensor { return opwright.FromSlice([]float32{0}).View() }),
			mean:   forever(func() opwright.Tensor { return opwright.ZerosLike(parameter) }),
			square: forever(func() opwright.Tensor { return opwright.ZerosLike(parameter) }),
		}
		a.states[position] = state
	}
	return state
}
