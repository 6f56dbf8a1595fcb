package functional

import "github.com/opwright/opwright/go/opwright"

// These operators are in the library's root; as functions of models they are here, too.

// Relu is [opwright.Relu].
func Relu(x opwright.Tensor) opwright.Tensor { return opwright.Relu(x) }

// Selu is [opwright.Selu].
func Selu(x opwright.Tensor) opwright.Tensor { return opwright.Selu(x) }

// Celu is [opwright.Celu].
func Celu(x opwright.Tensor, opts ...opwright.CeluOpts) opwright.Tensor {
	return opwright.Celu(x, opts...)
}

// Tanh is [opwright.Tanh].
func Tanh(x opwright.Tensor) opwright.Tensor { return opwright.Tanh(x) }

// Sigmoid is [opwright.Sigmoid].
func Sigmoid(x opwright.Tensor) opwright.Tensor { return opwright.Sigmoid(x) }

// Softmax is [opwright.Softmax].
func Softmax(x opwright.Tensor, dim int64, opts ...opwright.SoftmaxOpts) opwright.Tensor {
	return opwright.Softmax(x, dim, opts...)
}

// LogSoftmax is [opwright.LogSoftmax].
func LogSoftmax(x opwright.Tensor, dim int64, opts ...opwright.LogSoftmaxOpts) opwright.Tensor {
	return opwright.LogSoftmax(x, dim, opts...)
}

// Threshold is [opwright.Threshold].
func Threshold(x opwright.Tensor, threshold, value opwright.Scalar) opwright.Tensor {
	return opwright.Threshold(x, threshold, value)
}

// Conv1d is [opwright.Conv1d].
func Conv1d(x, weight opwright.Tensor, opts ...opwright.Conv1dOpts) opwright.Tensor {
	return opwright.Conv1d(x, weight, opts...)
}

// Conv2d is [opwright.Conv2d].
func Conv2d(x, weight opwright.Tensor, opts ...opwright.Conv2dOpts) opwright.Tensor {
	return opwright.Conv2d(x, weight, opts...)
}

// Conv3d is [opwright.Conv3d].
func Conv3d(x, weight opwright.Tensor, opts ...opwright.Conv3dOpts) opwright.Tensor {
	return opwright.Conv3d(x, weight, opts...)
}

// MaxPool1d is [opwright.MaxPool1d].
func MaxPool1d(x opwright.Tensor, kernelSize []int64, opts ...opwright.MaxPool1dOpts) opwright.Tensor {
	return opwright.MaxPool1d(x, kernelSize, opts...)
}

// MaxPool2d is [opwright.MaxPool2d].
func MaxPool2d(x opwright.Tensor, kernelSize []int64, opts ...opwright.MaxPool2dOpts) opwright.Tensor {
	return opwright.MaxPool2d(x, kernelSize, opts...)
}

// MaxPool3d is [opwright.MaxPool3d].
func MaxPool3d(x opwright.Tensor, kernelSize []int64, opts ...opwright.MaxPool3dOpts) opwright.Tensor {
	return opwright.MaxPool3d(x, kernelSize, opts...)
}

// Dropout is [opwright.Dropout].
func Dropout(x opwright.Tensor, p float64, train bool) opwright.Tensor {
	return opwright.Dropout(x, p, train)
}

// Embedding is [opwright.Embedding]: the rows of a weight with these numbers.
func Embedding(weight, indices opwright.Tensor, opts ...opwright.EmbeddingOpts) opwright.Tensor {
	return opwright.Embedding(weight, indices, opts...)
}

// LayerNorm is [opwright.LayerNorm].
func LayerNorm(x opwright.Tensor, normalizedShape []int64, opts ...opwright.LayerNormOpts) opwright.Tensor {
	return opwright.LayerNorm(x, normalizedShape, opts...)
}

// CrossEntropy is [opwright.CrossEntropyLoss], under the name that it has in Python.
func CrossEntropy(x, target opwright.Tensor, opts ...opwright.CrossEntropyLossOpts) opwright.Tensor {
	return opwright.CrossEntropyLoss(x, target, opts...)
}
