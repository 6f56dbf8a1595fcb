package nn_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/nn"
	"github.com/opwright/opwright/go/opwright/nn/functional"
	"github.com/opwright/opwright/go/opwright/optim"
)

type model struct {
	First *nn.Linear
	Norm  *nn.BatchNorm
	Rest  *nn.Sequential
	inner opwright.Tensor
}

func newModel() *model {
	return &model{nn.NewLinear(3, 4), nn.NewBatchNorm(4), nn.NewSequential(nn.ReLU, nn.NewDropout(0.5), nn.NewLinear(4, 2, nn.LinearOpts{Bias: opwright.Ptr(false)})), opwright.Tensor{}}
}

func (m *model) Forward(x opwright.Tensor) opwright.Tensor {
	return m.Rest.Forward(m.Norm.Forward(m.First.Forward(x)))
}

func paths(tensors []nn.Named) (paths []string) {
	for _, it := range tensors {
		paths = append(paths, it.Path)
	}
	return paths
}

func TestTensorsAreFoundByTheirPaths(t *testing.T) {
	wanted := []string{"first.weight", "first.bias", "norm.weight", "norm.bias", "norm.running_mean", "norm.running_var", "rest.2.weight"}
	if got := paths(nn.Tensors(newModel())); !slices.Equal(got, wanted) {
		t.Errorf("%v", got)
	}
	if got := paths(nn.NamedParameters(newModel())); !slices.Equal(got, slices.Delete(wanted, 4, 6)) {
		t.Errorf("%v", got)
	}
	if got := nn.Parameters(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestTensorsAreFoundInMaps(t *testing.T) {
	type layers map[string]any
	shared := nn.NewLinear(1, 1)
	loop := layers{"b": shared, "a": map[int]*nn.Linear{10: nn.NewLinear(1, 1), 9: nn.NewLinear(1, 1)}, "again": shared}
	loop["loop"] = loop
	wanted := []string{"a.9.weight", "a.9.bias", "a.10.weight", "a.10.bias", "again.weight", "again.bias"}
	if got := paths(nn.Tensors(loop)); !slices.Equal(got, wanted) {
		t.Errorf("%v", got)
	}
	if got := nn.Parameters(map[string]opwright.Tensor{"w": shared.Weight}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// TestNonsenseIsRefused calls what is exported with nothing, too much and what was closed.
func TestNonsenseIsRefused(t *testing.T) {
	closed := opwright.FromSlice([]float32{1})
	closed.Close()
	learnt := nn.NewLinear(1, 1).Weight
	two := []opwright.Tensor{learnt, learnt}
	for name, call := range map[string]func(){
		"no parameters for Adam":     func() { optim.NewAdam(nil, 0.1) },
		"no parameters for SGD":      func() { optim.NewSGD([]opwright.Tensor{}, 0.1) },
		"the zero Tensor":            func() { optim.NewAdam([]opwright.Tensor{{}}, 0.1) },
		"a closed parameter":         func() { optim.NewSGD([]opwright.Tensor{closed}, 0.1) },
		"a parameter twice":          func() { optim.NewAdam(two, 0.1) },
		"a rate that is no number":   func() { optim.NewAdam(two[:1], math.NaN()) },
		"two structs of options":     func() { optim.NewSGD(two[:1], 0.1, optim.SGDOpts{}, optim.SGDOpts{}) },
		"nothing to add":             func() { optim.NewAdam(two[:1], 0.1).Add() },
		"a step of the zero Adam":    func() { new(optim.Adam).Step() },
		"a step of the zero SGD":     func() { new(optim.SGD).Step() },
		"gradients of the zero Adam": func() { new(optim.Adam).ZeroGrad() },
		"parameters of a number":     func() { nn.Parameters(3) },
		"parameters of a text":       func() { nn.State("model") },
		"parameters that are closed": func() { nn.Parameters([]opwright.Tensor{closed}) },
		"a module that is nil":       func() { nn.NewSequential(nil) },
		"two options of a layer":     func() { nn.NewLinear(1, 1, nn.LinearOpts{}, nn.LinearOpts{}) },
		"a negative size":            func() { nn.NewLinear(-1, 1) },
		"a window of three sizes":    func() { nn.NewConv2d(1, 1, []int64{3, 3, 3}) },
		"a window without size":      func() { nn.NewConv2d(1, 1, nil) },
		"a window of size zero":      func() { nn.NewConv2d(1, 1, []int64{3, 0}) },
		"groups beside channels":     func() { nn.NewConv2d(3, 4, []int64{3}, nn.Conv2dOpts{Groups: opwright.Ptr(int64(2))}) },
		"channels that do not fit":   func() { nn.NewConv2d(2, 1, []int64{1}).Forward(opwright.Ones([]int64{1, 3, 4, 4})) },
		"a chance above one":         func() { nn.NewDropout(1.5) },
		"a state that lacks all":     func() { nn.LoadState(newModel(), nil) },
	} {
		var refusal *opwright.Error
		if err := opwright.Do(call); !errors.As(err, &refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStatesAreCopied(t *testing.T) {
	from, to := newModel(), newModel()
	nn.LoadState(to, nn.State(from))
	if !opwright.Equal(from.First.Weight, to.First.Weight) || !to.First.Weight.RequiresGrad() {
		t.Error("the weights were not copied")
	}
	state := nn.State(from)
	delete(state, "first.bias")
	state["other"] = state["first.weight"]
	state["first.weight"] = state["norm.weight"]
	if err := opwright.Do(func() { nn.LoadState(to, state) }); !errors.Is(err, opwright.ErrRuntime) {
		t.Error(err)
	}
}

func TestBatchNormIsTrained(t *testing.T) {
	opwright.ManualSeed(3)
	x := opwright.RandN([]int64{50, 4}).MulScalar(opwright.Num(3)).AddScalar(opwright.Num(7))
	norm := nn.NewBatchNorm(4)
	y := norm.Forward(x)
	for _, mean := range opwright.ToSlice[float32](y.MeanDims([]int64{0})) {
		if math.Abs(float64(mean)) > 1e-5 {
			t.Errorf("the mean is %v", mean)
		}
	}
	for range 200 {
		norm.Forward(x)
	}
	nn.Train(norm, false)
	if z := norm.Forward(x); !opwright.AllClose(y, z, opwright.AllCloseOpts{Rtol: opwright.Ptr(0.05), Atol: opwright.Ptr(0.05)}) {
		t.Error("what was remembered is not what was there")
	}
	if err := opwright.Do(func() { norm.Forward(opwright.Zeros([]int64{2, 3})) }); !errors.Is(err, opwright.ErrValue) {
		t.Error(err)
	}
}

func TestDropoutOnlyInTraining(t *testing.T) {
	m := nn.NewSequential(nn.NewDropout(0.9))
	x := opwright.Ones([]int64{1000})
	if opwright.Equal(m.Forward(x), x) {
		t.Error("nothing was left out")
	}
	nn.Train(m, false)
	if !opwright.Equal(m.Forward(x), x) {
		t.Error("something was left out")
	}
}

func TestInit(t *testing.T) {
	w := opwright.Zeros([]int64{100, 50})
	for _, bound := range []struct {
		made  opwright.Tensor
		bound float64
	}{
		{nn.XavierUniform(w.Clone(), 1), math.Sqrt(6.0 / 150)},
		{nn.KaimingUniform(w.Clone(), 0), math.Sqrt(6.0 / 50)},
		{nn.Uniform(w.Clone(), -2, 2), 2},
		{nn.Constant(w.Clone(), 2), 2},
	} {
		greatest := bound.made.Abs().Max().ItemScalar().Float()
		if greatest > bound.bound+1e-6 || greatest < 0.95*bound.bound {
			t.Errorf("%v, expected at most %v", greatest, bound.bound)
		}
	}
	if err := opwright.Do(func() { nn.KaimingUniform(opwright.Zeros([]int64{3}), 0) }); !errors.Is(err, opwright.ErrValue) {
		t.Error(err)
	}
}

// learns teaches a model to add up.
func learns(t *testing.T, name string, make func([]opwright.Tensor) optim.Optimizer) {
	t.Helper()
	opwright.ManualSeed(1)
	m := nn.NewSequential(nn.NewLinear(3, 16), nn.Tanh, nn.NewLinear(16, 1))
	optimizer := make(nn.Parameters(m))
	x := opwright.RandN([]int64{64, 3})
	y := x.SumDims([]int64{1}, opwright.SumDimsOpts{Keepdim: opwright.Ptr(true)})
	var first, last float64
	for i := range 300 {
		opwright.Scope(func() {
			optimizer.ZeroGrad()
			loss := functional.MSELoss(m.Forward(x), y)
			loss.Backward()
			optimizer.Step()
			last = loss.ItemScalar().Float()
		})
		if i == 0 {
			first = last
		}
	}
	if !(last < first/20) {
		t.Errorf("%s: from %v to %v", name, first, last)
	}
}

func TestOptimizersLearn(t *testing.T) {
	for name, make := range map[string]func([]opwright.Tensor) optim.Optimizer{
		"SGD":      func(p []opwright.Tensor) optim.Optimizer { return optim.NewSGD(p, 0.1) },
		"momentum": func(p []opwright.Tensor) optim.Optimizer { return optim.NewSGD(p, 0.02, optim.SGDOpts{Momentum: 0.9}) },
		"nesterov": func(p []opwright.Tensor) optim.Optimizer {
			return optim.NewSGD(p, 0.02, optim.SGDOpts{Momentum: 0.9, Nesterov: true})
		},
		"Adam": func(p []opwright.Tensor) optim.Optimizer { return optim.NewAdam(p, 0.01) },
		"AdamW": func(p []opwright.Tensor) optim.Optimizer {
			return optim.NewAdam(p, 0.01, optim.AdamOpts{Decoupled: true, WeightDecay: 0.01})
		},
	} {
		learns(t, name, make)
	}
}

func TestOptimizersInAScopeRemember(t *testing.T) {
	w := opwright.Ones([]int64{2}).SetRequiresGrad(true)
	adam := optim.NewAdam([]opwright.Tensor{w}, 0.1)
	for range 3 {
		opwright.Scope(func() {
			adam.ZeroGrad()
			w.Sum().Backward()
			adam.Step()
		})
	}
	if got := opwright.ToSlice[float32](w.Detach())[0]; math.Abs(float64(got)-0.7) > 1e-3 {
		t.Errorf("%v", got)
	}
	for _, f := range []func(){
		func() { adam.SetLR(-1) },
		func() { adam.Add(opwright.Tensor{}) },
		func() { optim.NewSGD(nil, 0.1, optim.SGDOpts{Nesterov: true}) },
		func() { optim.NewAdam(nil, 0.1, optim.AdamOpts{Beta1: opwright.Ptr(1.0)}) },
	} {
		if err := opwright.Do(f); !errors.Is(err, opwright.ErrValue) {
			t.Error(err)
		}
	}
}

func Example() {
	model := nn.NewSequential(nn.NewLinear(64, 128), nn.ReLU, nn.NewLinear(128, 10))
	for _, it := range nn.NamedParameters(model) {
		fmt.Println(it.Path, it.Tensor.Shape())
	}
	fmt.Println(model.Forward(opwright.Zeros([]int64{5, 64})).Shape())
	// Output:
	// 0.weight [128 64]
	// 0.bias [128]
	// 2.weight [10 128]
	// 2.bias [10]
	// [5 10]
}
