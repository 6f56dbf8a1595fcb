package gotorch_test

import (
	"fmt"
	"slices"
	"testing"

	torch "github.com/opwright/opwright/go/opwright/gotorch"

	"github.com/opwright/opwright/go/opwright"
)

func is(t *testing.T, got torch.Tensor, wanted ...float32) {
	t.Helper()
	if elements := opwright.ToSlice[float32](got.CastTo(opwright.Float32)); !slices.Equal(elements, wanted) {
		t.Errorf("got %v, expected %v", elements, wanted)
	}
}

func TestSignaturesOfGoTorch(t *testing.T) {
	a, b := torch.NewTensor([][]float32{{1, 2}, {3, 4}}), torch.Ones([]int64{2, 2}, false)
	is(t, torch.Add(a, b, 2), 3, 4, 5, 6)
	is(t, torch.Sub(a, b, 1), 0, 1, 2, 3)
	is(t, torch.MulI(torch.Mul(a, b), b), 1, 2, 3, 4)
	is(t, torch.DivI(torch.Div(a, b), b), 1, 2, 3, 4)
	is(t, torch.SubI(torch.AddI(a.Clone(), b, 3), b, 3), 1, 2, 3, 4)
	is(t, torch.MM(a, torch.Eye(2, 2, false)), 1, 2, 3, 4)
	is(t, torch.Eq(a, torch.Full([]int64{2, 2}, 3, false)), 0, 0, 1, 0)
	is(t, torch.Relu(torch.Sub(a, b, 2), false), 0, 0, 1, 2)
	is(t, torch.Relu(torch.Sub(a, b, 2), true), 0, 0, 1, 2)
	is(t, torch.LeakyRelu(torch.Arange(-2, 2, 2, false), 0.5), -1, 0)
	is(t, torch.Linspace(0, 1, 3, false), 0, 0.5, 1)
	values, indices := torch.TopK(a, 1, -1, true, true)
	is(t, values, 2, 4)
	is(t, indices, 1, 1)
	is(t, torch.Sum(a, nil, false), 10)
	is(t, torch.Sum(a, []int64{0}, true), 4, 6)
	is(t, torch.Mean(a), 2.5)
	is(t, torch.Argmax(a, opwright.Ptr[int64](1), false), 1, 1)
	is(t, torch.Argmin(a, nil, false), 0)
	is(t, torch.Permute(a, []int64{1, 0}), 1, 3, 2, 4)
	is(t, torch.Transpose(a, 0, 1), 1, 3, 2, 4)
	is(t, torch.Stack([]torch.Tensor{a, b}, 0).Index(1, 0), 1, 1)
	is(t, torch.IndexSelect(a, 0, torch.NewTensor([]int64{1})), 3, 4)
	is(t, torch.Squeeze(torch.View(a, 1, 4)), 1, 2, 3, 4)
	is(t, torch.Sigmoid(torch.Full(nil, 0, false)), 0.5)
	is(t, torch.Tanh(torch.LogSoftmax(torch.Full([]int64{1}, 7, false), 0)), 0)
	if torch.RandN([]int64{2}, true).RequiresGrad() == torch.Rand([]int64{2}, false).RequiresGrad() {
		t.Error("whether a gradient is required")
	}
}

func Example() {
	torch.ManualSeed(1)
	w := torch.RandN([]int64{2, 1}, true)
	x := torch.NewTensor([][]float32{{1, 2}, {3, 4}, {5, 7}})
	y := torch.NewTensor([][]float32{{5}, {11}, {19}})
	for _, optimizer := range []torch.Optimizer{torch.SGD(0.01, 0.9, 0, 0, false), torch.Adam(0.01, 0.9, 0.999, 0)} {
		optimizer.AddParameters([]torch.Tensor{w})
		for range 1000 {
			optimizer.ZeroGrad()
			miss := torch.Sub(torch.MM(x, w), y, 1)
			torch.Mean(torch.Mul(miss, miss)).Backward()
			optimizer.Step()
		}
		optimizer.Close()
	}
	torch.FinishGC()
	fmt.Printf("%.2f\n", opwright.ToSlice[float32](torch.Detach(w)))
	// Output: [1.00 2.00]
}
