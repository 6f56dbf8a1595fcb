// Package gotorch has the names and signatures of GoTorch over package opwright, for programs that
// come from there. Where GoTorch passes options as maps, these functions take those of opwright.
//
// A Tensor is opwright's, with its methods; those of GoTorch that spell every parameter, such as
// a.Add(b, alpha), are functions here.
package gotorch

import (
	"unsafe"

	"github.com/opwright/opwright/go/opwright"
)

// Tensor is [opwright.Tensor].
type Tensor = opwright.Tensor

// Device is [opwright.Device].
type Device = opwright.Device

// Dtypes under GoTorch's names.
const (
	Byte   = opwright.Byte   // uint8
	Char   = opwright.Char   // int8
	Short  = opwright.Short  // int16
	Int    = opwright.Int    // int32
	Long   = opwright.Long   // int64
	Half   = opwright.Half   // float16
	Float  = opwright.Float  // float32
	Double = opwright.Double // float64
	Bool   = opwright.Bool   // bool
)

// --- arithmetic ---

// Add is a + alpha * other.
func Add(a, other Tensor, alpha float32) Tensor {
	return a.Add(other, opwright.AddOpts{Alpha: number(alpha)})
}

// AddI is [Add] in place.
func AddI(a, other Tensor, alpha float32) Tensor {
	return a.AddI(other, opwright.AddIOpts{Alpha: number(alpha)})
}

// Sub is a - alpha * other.
func Sub(a, other Tensor, alpha float32) Tensor {
	return a.Sub(other, opwright.SubOpts{Alpha: number(alpha)})
}

// SubI is [Sub] in place.
func SubI(a, other Tensor, alpha float32) Tensor {
	return a.SubI(other, opwright.SubIOpts{Alpha: number(alpha)})
}

// Mul is a * other.
func Mul(a, other Tensor) Tensor { return a.Mul(other) }

// MulI is [Mul] in place.
func MulI(a, other Tensor) Tensor { return a.MulI(other) }

// Div is a / other.
func Div(a, other Tensor) Tensor { return a.Div(other) }

// DivI is [Div] in place.
func DivI(a, other Tensor) Tensor { return a.DivI(other) }

// Eq says which elements are equal.
func Eq(a, other Tensor) Tensor { return a.Eq(other) }

// MM is the product of two matrices.
func MM(a, b Tensor) Tensor { return a.MM(b) }

// --- activations and reductions ---

// Relu is max(x, 0), in place if so wished.
func Relu(x Tensor, inplace bool) Tensor {
	if inplace {
		return x.ReluI()
	}
	return x.Relu()
}

// LeakyRelu multiplies negative elements by a slope.
func LeakyRelu(x Tensor, negativeSlope float64) Tensor {
	return opwright.LeakyRelu(x, opwright.LeakyReluOpts{NegativeSlope: number(negativeSlope)})
}

// Sigmoid is 1 / (1 + exp(-x)).
func Sigmoid(x Tensor) Tensor { return x.Sigmoid() }

// Tanh is the hyperbolic tangent.
func Tanh(x Tensor) Tensor { return x.Tanh() }

// LogSoftmax is the logarithm of softmax along a dimension.
func LogSoftmax(x Tensor, dim int64) Tensor { return x.LogSoftmax(dim) }

// Mean is the mean of all elements.
func Mean(x Tensor) Tensor { return x.Mean() }

// Sum is the sum of all elements, or along dimensions, which are kept if so wished.
func Sum(x Tensor, dim []int64, keepdim bool) Tensor {
	if dim == nil {
		return x.Sum()
	}
	return x.SumDims(dim, opwright.SumDimsOpts{Keepdim: &keepdim})
}

// Argmin is where the least element along a dimension is; without a dimension, of all.
func Argmin(x Tensor, dim *int64, keepdim bool) Tensor {
	return x.Argmin(opwright.ArgminOpts{Dim: dim, Keepdim: &keepdim})
}

// Argmax is where the greatest element along a dimension is; without a dimension, of all.
func Argmax(x Tensor, dim *int64, keepdim bool) Tensor {
	return x.Argmax(opwright.ArgmaxOpts{Dim: dim, Keepdim: &keepdim})
}

// TopK is the k greatest or least elements along a dimension, and where they are.
func TopK(x Tensor, k, dim int64, largest, sorted bool) (values, indices Tensor) {
	return x.TopK(k, opwright.TopKOpts{Dim: &dim, Largest: &largest, Sorted: &sorted})
}

// --- shapes ---

// View is the same elements in another shape.
func View(x Tensor, shape ...int64) Tensor { return x.View(shape...) }

// Permute is the same elements with dimensions in another order.
func Permute(x Tensor, dims []int64) Tensor { return x.Permute(dims...) }

// Transpose is the same elements with two dimensions exchanged.
func Transpose(x Tensor, dim0, dim1 int64) Tensor { return x.Transpose(dim0, dim1) }

// Squeeze leaves out dimensions of size one: all, or these.
func Squeeze(x Tensor, dim ...int64) Tensor { return x.Squeeze(dim...) }

// Stack puts tensors along a new dimension.
func Stack(tensors []Tensor, dim int64) Tensor {
	return opwright.Stack(tensors, opwright.StackOpts{Dim: &dim})
}

// IndexSelect is what an index selects along a dimension.
func IndexSelect(x Tensor, dim int64, index Tensor) Tensor { return x.IndexSelect(dim, index) }

// --- making tensors ---

// NewTensor is [opwright.NewTensor].
func NewTensor(data any) Tensor { return opwright.NewTensor(data) }

// FromBlob is [opwright.FromBlob].
func FromBlob(data unsafe.Pointer, dtype opwright.DType, sizes []int64) Tensor {
	return opwright.FromBlob(data, dtype, sizes)
}

// Empty has any elements.
func Empty(shape []int64, requiresGrad bool) Tensor {
	return learnt(opwright.Empty(shape), requiresGrad)
}

// Ones has ones.
func Ones(shape []int64, requiresGrad bool) Tensor {
	return learnt(opwright.Ones(shape), requiresGrad)
}

// Full has one number everywhere.
func Full(shape []int64, value float32, requiresGrad bool) Tensor {
	return learnt(opwright.Full(shape, *number(value)), requiresGrad)
}

// Eye has ones in the diagonal.
func Eye(n, m int64, requiresGrad bool) Tensor { return learnt(opwright.EyeM(n, m), requiresGrad) }

// Rand has numbers from 0 to 1.
func Rand(shape []int64, requiresGrad bool) Tensor {
	return learnt(opwright.Rand(shape), requiresGrad)
}

// RandN has normally distributed numbers.
func RandN(shape []int64, requiresGrad bool) Tensor {
	return learnt(opwright.RandN(shape), requiresGrad)
}

// Arange has the numbers from begin up to end, step by step.
func Arange(begin, end, step float32, requiresGrad bool) Tensor {
	options := opwright.ArangeStartStepOpts{Step: number(step)}
	return learnt(opwright.ArangeStartStep(*number(begin), *number(end), options), requiresGrad)
}

// Linspace has so many numbers from begin to end, at equal distances.
func Linspace(begin, end float32, steps int64, requiresGrad bool) Tensor {
	return learnt(opwright.Linspace(*number(begin), *number(end), steps), requiresGrad)
}

// --- the rest ---

// Detach is [opwright.Detach].
func Detach(x Tensor) Tensor { return opwright.Detach(x) }

// NewDevice is [opwright.NewDevice].
func NewDevice(name string) Device { return opwright.NewDevice(name) }

// ManualSeed starts the default generator anew.
func ManualSeed(seed int64) { opwright.ManualSeed(uint64(seed)) }

// SetNumThreads says how many threads a large kernel may use.
func SetNumThreads(count int32) { opwright.SetNumThreads(int64(count)) }

// GC is [opwright.GC]. Programs that called it at every step need not.
func GC() { opwright.GC() }

// FinishGC is [opwright.FinishGC].
func FinishGC() { opwright.FinishGC() }

func learnt(t Tensor, requiresGrad bool) Tensor {
	if requiresGrad {
		return t.SetRequiresGrad(true)
	}
	return t
}

func number[T float32 | float64](v T) *opwright.Scalar {
	return opwright.Ptr(opwright.Num(v))
}
