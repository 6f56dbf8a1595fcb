package nn_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/nn"
	"github.com/opwright/opwright/go/opwright/nn/functional"
	"github.com/opwright/opwright/go/opwright/optim"
)

type classifier struct{ Features, Head *nn.Sequential }

func newClassifier() *classifier {
	return &classifier{
		nn.NewSequential(nn.NewConv2d(1, 4, []int64{3}, nn.Conv2dOpts{Padding: []int64{1}}), nn.ReLU, nn.MaxPool2d([]int64{2})),
		nn.NewSequential(nn.Flatten, nn.NewLinear(4*4*4, 3)),
	}
}

func (c *classifier) Forward(x opwright.Tensor) opwright.Tensor {
	return c.Head.Forward(c.Features.Forward(x))
}

func TestConvolutionsAreThoseOfTheOperator(t *testing.T) {
	x := opwright.RandN([]int64{2, 4, 9, 7})
	layer := nn.NewConv2d(4, 6, []int64{3, 2}, nn.Conv2dOpts{Stride: []int64{2, 1}, Padding: []int64{1}, Dilation: []int64{2}, Groups: opwright.Ptr(int64(2))})
	if got := layer.Weight.Shape(); !slices.Equal(got, []int64{6, 2, 3, 2}) {
		t.Error(got)
	}
	wanted := functional.Conv2d(x, layer.Weight, opwright.Conv2dOpts{Bias: layer.Bias, Stride: []int64{2, 1}, Padding: []int64{1, 1}, Dilation: []int64{2, 2}, Groups: opwright.Ptr(int64(2))})
	if !opwright.Equal(layer.Forward(x), wanted) {
		t.Error("a layer has options of its own")
	}
	plain := nn.NewConv2d(4, 1, []int64{3}, nn.Conv2dOpts{Bias: opwright.Ptr(false), Dtype: opwright.Float64})
	if plain.Bias.Defined() || plain.Weight.Dtype() != opwright.Float64 {
		t.Error("without a bias, of a dtype of its own")
	}
	bare := nn.Conv2d{Weight: opwright.Ones([]int64{1, 4, 1, 1})}
	if !opwright.AllClose(bare.Forward(x), x.SumDims([]int64{1}, opwright.SumDimsOpts{Keepdim: opwright.Ptr(true)}), opwright.AllCloseOpts{Atol: opwright.Ptr(1e-5)}) {
		t.Error("a layer that nobody has made by NewConv2d")
	}
	if got := nn.AvgPool2d([]int64{3, 7}).Forward(x).Shape(); !slices.Equal(got, []int64{2, 4, 3, 1}) {
		t.Error(got)
	}
}

func TestImagesAreLearntAndKept(t *testing.T) {
	opwright.ManualSeed(1)
	model := newClassifier()
	wanted := []string{"features.0.weight", "features.0.bias", "head.1.weight", "head.1.bias"}
	if got := paths(nn.NamedParameters(model)); !slices.Equal(got, wanted) {
		t.Error(got)
	}
	// Each class is brighter in rows of its own.
	classes := opwright.Arange(opwright.Num(30)).RemainderScalar(opwright.Num(3)).CastTo(opwright.Int64)
	images := opwright.RandN([]int64{30, 1, 8, 8}).MulScalar(opwright.Num(0.1))
	for i := range int64(30) {
		images.Index(i, 0, i%3*3).AddScalarI(opwright.Num(1))
	}
	optimizer := optim.NewAdam(nn.Parameters(model), 0.02)
	for range 40 {
		opwright.Scope(func() {
			optimizer.ZeroGrad()
			functional.CrossEntropy(model.Forward(images), classes).Backward()
			optimizer.Step()
		})
	}
	answers := model.Forward(images)
	if !opwright.Equal(answers.Argmax(opwright.ArgmaxOpts{Dim: opwright.Ptr(int64(1))}), classes) {
		t.Error("images of the classes are told apart")
	}
	path := filepath.Join(t.TempDir(), "model.safetensors")
	opwright.SaveAll(nn.State(model), path)
	again := newClassifier()
	nn.LoadState(again, opwright.LoadAll(path))
	if !opwright.Equal(again.Forward(images), answers) {
		t.Error("what was kept answers alike")
	}
}

func ExampleNewConv2d() {
	model := nn.NewSequential(
		nn.NewConv2d(1, 8, []int64{3}), nn.ReLU, nn.MaxPool2d([]int64{2}),
		nn.Flatten, nn.NewLinear(8*13*13, 10),
	)
	images := opwright.Zeros([]int64{4, 1, 28, 28})
	fmt.Println(model.Forward(images).Shape())
	// Output: [4 10]
}
