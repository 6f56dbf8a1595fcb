// Package optim has optimizers: what changes parameters by their gradients.
package optim

import (
	"fmt"
	"slices"

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

// Add gives the optimizer more parameters. It panics with kind opwright.ErrValue, and adds none, if
// there are none, or one is the zero Tensor or there already.
func (p *parameters) Add(more ...opwright.Tensor) { p.add("Add", more) }

func (p *parameters) add(op string, more []opwright.Tensor) {
	if len(more) == 0 {
		refuse(op, "argument 'parameters' is empty, expected tensors")
	}
	for i, it := range more {
		if !it.Defined() {
			refuse(op, "parameter %d is the zero Tensor, which refers to none", i)
		}
		it.RequiresGrad() // panics if it was closed
		if has(p.all, it) || has(more[:i], it) {
			refuse(op, "parameter %d is there already", i)
		}
	}
	p.all = append(p.all, more...)
}

func has(all []opwright.Tensor, it opwright.Tensor) bool {
	return slices.ContainsFunc(all, it.SameAs)
}

// check refuses to do anything for no parameters, which somebody forgot to add.
func (p *parameters) check(op string) {
	if len(p.all) == 0 {
		refuse(op, "the optimizer has no parameters: make it by a function of this package")
	}
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
	p.check("ZeroGrad")
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

// only is what a call gives as its options.
func only[T any](options []T, op string) (given T) {
	if len(options) > 1 {
		fail(opwright.ErrType, op, "argument 'opts': %d structs of options are given, expected at most one", len(options))
	}
	if len(options) == 1 {
		given = options[0]
	}
	return given
}

func refuse(op, format string, arguments ...any) {
	fail(opwright.ErrValue, op, format, arguments...)
}

func fail(kind opwright.ErrorKind, op, format string, arguments ...any) {
	panic(&opwright.Error{Kind: kind, Op: op, Message: op + "(): " + fmt.Sprintf(format, arguments...)})
}

func notNegative(op string, names []string, values ...float64) {
	for i, it := range values {
		if !(it >= 0) {
			refuse(op, "option '%s' is %v, but must not be negative", names[i], it)
		}
	}
}
