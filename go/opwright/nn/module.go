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
// [Parameters] finds what an optimizer of package optim changes, [State] what a file keeps, under the
// names that Python's modules have.
package nn

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"

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

// Tensors are all tensors of a model, in the order of its fields, and of the keys of maps. They are
// found in exported fields of structs, in slices and maps and behind pointers and interfaces; one
// that is there twice comes once. It panics with kind opwright.ErrType if the model is nothing that can
// have tensors, such as a number.
func Tensors(model any) []Named {
	found := newWalk("Tensors", model, nil)
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

// LoadState copies a state into the tensors of a model. It panics with kind opwright.ErrRuntime, and
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
		fail(opwright.ErrRuntime, "LoadState", "the state does not fit: %s", strings.Join(mistakes, "; "))
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
	newWalk("Train", model, func(module any) {
		if it, ok := module.(Trained); ok {
			it.SetTraining(training)
		}
	})
}

// walk goes through the fields of a model.
type walk struct {
	tensors []Named
	seen    map[*opwright.Handle]bool
	module  func(any)
	within  map[unsafe.Pointer]bool // the pointers and maps on the way here
}

func newWalk(op string, model any, module func(any)) *walk {
	value := reflect.ValueOf(model)
	for value.Kind() == reflect.Pointer || value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map, reflect.Func:
	default:
		fail(opwright.ErrType, op, "argument 'model' is a %T, expected a struct, slice, array or map with tensors", model)
	}
	w := &walk{seen: map[*opwright.Handle]bool{}, module: module, within: map[unsafe.Pointer]bool{}}
	w.visit("", reflect.ValueOf(model))
	return w
}

// enter says whether one is not in there already.
func (w *walk) enter(at unsafe.Pointer) bool {
	isNew := !w.within[at]
	w.within[at] = true
	return isNew
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
		if value.Kind() == reflect.Pointer {
			if !w.enter(value.UnsafePointer()) {
				return
			}
			defer delete(w.within, value.UnsafePointer())
		}
		w.visit(path, value.Elem())
	case reflect.Map:
		if value.IsNil() || !w.enter(value.UnsafePointer()) {
			return
		}
		defer delete(w.within, value.UnsafePointer())
		keys := value.MapKeys()
		slices.SortFunc(keys, byKey)
		for _, key := range keys {
			w.visit(joined(path, fmt.Sprint(key.Interface())), value.MapIndex(key))
		}
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

// byKey orders numbers by their value, and all else by its text.
func byKey(a, b reflect.Value) int {
	switch {
	case a.CanInt() && b.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat() && b.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
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
