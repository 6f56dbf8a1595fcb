// Package optim has optimizers: what changes parameters by their gradients.
package optim

import (
	"fmt"

	"github.com/opwright/opwright/go/opwright"
)

// Optimizer changes parameters.
type Optimizer interface {
	Step()                             // changes all parameters that have gradients
	ZeroGrad()                         // forgets the gradients
	SetLR(lr float64)                  // says how long steps are
	Add(parameters ...opwright.Tensor) // more parameters
}

// parameters are what an optimizer changes, and how fast.
type parameters struct {
	all []opwright.Tensor
	lr  float64
}

// Add gives the optimizer more parameters.
func (p *parameters) Add(more ...opwright.Tensor) {
	for i, it := range more {
		if !it.Defined() {
			refuse("Add", "parameter %d is the zero Tensor, which refers to none", i)
		}
	}
	p.all = append(p.all, more...)
}

// SetLR says how long steps are.
func (p *parameters) SetLR(lr float64) {
	if !(lr >= 0) {
		refuse("SetLR", "argument 'lr' is %v, but must not be negative", lr)
	}
	p.lr = lr
}

// ZeroGrad forgets the gradients of all parameters.
func (p *parameters) ZeroGrad() {
	for _, it := range p.all {
		it.SetGrad(opwright.Tensor{})
	}
}

// slopes are the parameters that have gradients, by their positions, and the gradients.
func (p *parameters) slopes() (at []int, learnt, gradients []opwright.Tensor) {
	for i, it := range p.all {
		if gradient := it.Grad(); gradient.Defined() {
			at, learnt, gradients = append(at, i), append(learnt, it), append(gradients, gradient)
		}
	}
	return at, learnt, gradients
}

// forever makes a tensor on another goroutine, so that no scope closes it.
func forever(zeros func() opwright.Tensor) opwright.Tensor {
	var made opwright.Tensor
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		made, err = opwright.Try(zeros)
	}()
	<-done
	if err != nil {
		panic(err)
	}
	return made
}

func refuse(op, format string, arguments ...any) {
	panic(&opwright.Error{Kind: opwright.ErrValue, Op: op, Message: op + "(): " + fmt.Sprintf(format, arguments...)})
}

func notNegative(op string, names []string, values ...float64) {
	for i, it := range values {
		if !(it >= 0) {
			refuse(op, "option '%s' is %v, but must not be negative", names[i], it)
		}
	}
}
