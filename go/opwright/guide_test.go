package opwright_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/nn"
	"github.com/opwright/opwright/go/opwright/nn/functional"
	"github.com/opwright/opwright/go/opwright/optim"
)

func Example_functionsAndMethods() {
	x := opwright.FromSlice([]float32{-1, 0, 2})
	y := opwright.FromSlice([]float32{1, 1, 1})
	alpha := opwright.AddOpts{Alpha: opwright.Ptr(opwright.Num(10))}
	fmt.Println(opwright.ToSlice[float32](opwright.Add(x, y)))                    // a function
	fmt.Println(opwright.ToSlice[float32](x.Add(y, alpha)))                       // a method, with an option
	fmt.Println(opwright.ToSlice[float32](x.AddScalar(opwright.Num(2.5))))        // a number for a tensor
	fmt.Println(opwright.ToSlice[float32](x.AddI(y).ReluI()), x.Numel(), x.Dim()) // in place: x itself
	// Output:
	// [0 1 3]
	// [9 10 12]
	// [1.5 2.5 4.5]
	// [0 1 3] 3 1
}

func Example_errors() {
	a, b := opwright.Ones([]int64{2, 3}), opwright.Ones([]int64{2, 3})
	_, err := opwright.Try(func() opwright.Tensor {
		return a.MM(b).Relu().Sum()
	})
	var mistake *opwright.Error
	if errors.As(err, &mistake) {
		fmt.Println(mistake.Kind, mistake.Op)
	}
	fmt.Println(errors.Is(err, opwright.ErrRuntime))
	// Output:
	// RuntimeError mm
	// true
}

func Example_memory() {
	x := opwright.Ones([]int64{1000, 1000})

	y := x.Add(x)
	y.Close() // freed now, and y must not be used any more

	sum := opwright.ScopeOf(func() opwright.Tensor {
		return x.Mul(x).Add(x).Relu().Sum() // the tensors in between are freed, this one is not
	})
	fmt.Println(sum.Item())
	// Output: 2e+06
}

func Example_values() {
	t := opwright.NewTensor([][]float32{{1, 2}, {3, 4}})
	fmt.Println(t.Shape(), t.Dtype(), t.Index(1, 0).Item())
	for i, row := range t.Rows() {
		fmt.Println(i, row.Sum().Item())
	}
	opwright.Data(t, func(elements []float32) { elements[0] = 10 })
	fmt.Println(opwright.ToSlice[float32](opwright.T(t)))
	text, _ := json.Marshal(t)
	fmt.Println(string(text))
	// Output:
	// [2 2] float32 3
	// 0 3
	// 1 7
	// [10 3 2 4]
	// {"dtype":"float32","shape":[2,2],"data":[10,2,3,4]}
}

func Example_files() {
	path := filepath.Join(os.TempDir(), "model.safetensors")
	defer os.Remove(path)
	model := nn.NewLinear(2, 1)
	opwright.SaveAll(nn.State(model), path)
	nn.LoadState(model, opwright.LoadAll(path))
	fmt.Printf("%v\n%.1f\n", opwright.Ones([]int64{2}), opwright.Eye(2))
	// Output:
	// tensor([1., 1.], dtype=float32, shape=(2,))
	// [[1.0 0.0] [0.0 1.0]]
}

func Example_learning() {
	opwright.ManualSeed(1)
	model := nn.NewSequential(nn.NewLinear(2, 16), nn.ReLU, nn.NewLinear(16, 1))
	optimizer := optim.NewAdam(nn.Parameters(model), 0.01)
	x := opwright.RandN([]int64{100, 2})
	y := x.MulScalar(opwright.Num(3)).SumDims([]int64{1}, opwright.SumDimsOpts{Keepdim: opwright.Ptr(true)})
	var miss float64
	for range 500 {
		opwright.Scope(func() {
			optimizer.ZeroGrad()
			loss := functional.MSELoss(model.Forward(x), y)
			loss.Backward()
			optimizer.Step()
			miss = loss.ItemScalar().Float()
		})
	}
	fmt.Println(miss < 0.1)
	// Output: true
}

func Example_goroutines() {
	x := opwright.Ones([]int64{100, 100})
	sums := make([]opwright.Tensor, 4)
	var wait sync.WaitGroup
	for i := range sums {
		wait.Add(1)
		go func() {
			defer wait.Done()
			sums[i] = x.MulScalar(opwright.Num(i)).Sum()
		}()
	}
	wait.Wait()
	for _, sum := range sums {
		fmt.Print(sum.Item(), " ")
	}
	// Output: 0 10000 20000 30000
}
