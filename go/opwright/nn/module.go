// Package nn has the parts of models: layers, what their parameters start with, and functions that
// find the parameters of a model.
//
// A model is any struct whose exported fields are layers and tensors:
//
//	type model struct{ First, Last *nn.Linear }
//
//	func (m model) Forward(x opwright.Tensor) opwright.Tensor {
//		return m.Last.Forward(m.First.Forward(x).Relu())
//	}
//
// [Parameters] finds what an optimizer of package optim changes, [State] what a file keeps.
//
// There is no convolution: the library has no operator for it.
package nn

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/opwright/opwright/go/opwright"
)

// Module is a layer, or a model of layers: a function of a tensor.
type Module interface {
	Forward(x opwright.Tensor) opwright.Tensor
}

// Named is a tensor of a model, and its path in it, such as "first.weight".
type Named struct {
	Path   string
	Tensor opwright.Tensor
}

// Tensors are all tensors of a model, in the order of its fields. They are found in exported fields
// of structs, in slices and behind pointers and interfaces; one that is there twice comes once.
func Tensors(model any) []Named {
	found := walk{seen: map[*opwright.Handle]bool{}}
	found.visit("", reflect.ValueOf(model))
	return found.tensors
}

// NamedParameters are the tensors of a model that are learnt: which require gradients.
func NamedParameters(model any) []Named {
	var parameters []Named
	for _, it := range Tensors(model) {
		if it.Tensor.RequiresGrad() {
			parameters = append(parameters, it)
		}
	}
	return parameters
}

// Parameters are the same without paths.
func Parameters(model any) []opwright.Tensor {
	var parameters []opwright.Tensor
	for _, it := range NamedParameters(model) {
		parameters = append(parameters, it.Tensor)
	}
	return parameters
}

// State is all tensors of a model by their paths, as opwright.SaveAll takes them. They are those of
// the model, and not copies.
func State(model any) map[string]opwright.Tensor {
	state := map[string]opwright.Tensor{}
	for _, it := range Tensors(model) {
		state[it.Path] = it.Tensor
	}
	return state
}

// LoadState copies a state into the tensors of a model. It panics with kind opwright.ErrValue, and
// copies nothing, if the state lacks one of them, has others, or shapes differ.
func LoadState(model any, state map[string]opwright.Tensor) {
	tensors := Tensors(model)
	known := map[string]bool{}
	var mistakes []string
	for _, it := range tensors {
		known[it.Path] = true
		given, there := state[it.Path]
		switch {
		case !there:
			mistakes = append(mistakes, fmt.Sprintf("%q is missing from the state", it.Path))
		case !slices.Equal(given.Shape(), it.Tensor.Shape()):
			mistakes = append(mistakes, fmt.Sprintf("%q has shape %v in the state, and %v in the model", it.Path, given.Shape(), it.Tensor.Shape()))
		}
	}
	for path := range state {
		if !known[path] {
			mistakes = append(mistakes, fmt.Sprintf("the model has no %q", path))
		}
	}
	if len(mistakes) > 0 {
		refuse("LoadState", "the state does not fit: %s", strings.Join(mistakes, "; "))
	}
	opwright.NoGrad(func() {
		for _, it := range tensors {
			it.Tensor.CopyI(state[it.Path])
		}
	})
}

// ZeroGrad forgets the gradients of all parameters of a model.
func ZeroGrad(model any) {
	for _, it := range Parameters(model) {
		it.SetGrad(opwright.Tensor{})
	}
}

// Trained is what behaves otherwise while it is being trained.
type Trained interface {
	SetTraining(training bool)
}

// Train says that a model and all layers in it are being trained, or not.
func Train(model any, training bool) {
	found := walk{seen: map[*opwright.Handle]bool{}, module: func(module any) {
		if it, ok := module.(Trained); ok {
			it.SetTraining(training)
		}
	}}
	found.visit("", reflect.ValueOf(model))
}

// walk goes through the fields of a model.
type walk struct {
	tensors []Named
	seen    map[*opwright.Handle]bool
	module  func(any)
}

var tensorType = reflect.TypeFor[opwright.Tensor]()

func (w *walk) visit(path string, value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return
		}
		if value.Kind() == reflect.Pointer && w.module != nil && value.CanInterface() {
			w.module(value.Interface())
		}
		w.visit(path, value.Elem())
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			w.visit(joined(path, strconv.Itoa(i)), value.Index(i))
		}
	case reflect.Struct:
		if value.Type() == tensorType {
			w.add(path, value.Interface().(opwright.Tensor))
			return
		}
		for i := range value.NumField() {
			field := value.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			name := snake(field.Name)
			if field.Anonymous || field.Tag.Get("nn") == "inline" {
				w.visit(path, value.Field(i))
			} else {
				w.visit(joined(path, name), value.Field(i))
			}
		}
	}
}

func (w *walk) add(path string, t opwright.Tensor) {
	if t.Defined() && !w.seen[t.T] {
		w.seen[t.T] = true
		w.tensors = append(w.tensors, Named{path, t})
	}
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// snake is a name as Python's modules have it: RunningMean is running_mean.
func snake(name string) string {
	var out strings.Builder
	for i, letter := range name {
		if unicode.IsUpper(letter) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(letter))
	}
	return out.String()
}

func refuse(op, format string, arguments ...any) {
	panic(&opwright.Error{Kind: opwright.ErrValue, Op: op, Message: op + "(): " + fmt.Sprintf(format, arguments...)})
}
