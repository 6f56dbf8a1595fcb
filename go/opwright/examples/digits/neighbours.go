package main

import "github.com/opwright/opwright/go/opwright"

const (
	axes       = 30
	rounds     = 20
	neighbours = 3
	digits     = 10
)

// byNeighbours projects onto the principal axes, then classifies.
func byNeighbours(split split, start opwright.Tensor) opwright.Tensor {
	return opwright.ScopeOf(func() opwright.Tensor {
		axes := opwright.T(principalAxes(split.points, start))
		return classify(split.points.MM(axes), split.labels, split.unseen.MM(axes))
	})
}

// principalAxes are the directions in which the points differ most, by subspace iteration.
func principalAxes(points, start opwright.Tensor) opwright.Tensor {
	centred := points.Sub(points.MeanDims([]int64{0}))
	covariance := opwright.T(centred).MM(centred).DivScalar(opwright.Num(points.Size(0)))
	axes := orthonormal(start)
	for range rounds {
		axes = orthonormal(axes.MM(covariance))
	}
	return axes
}

// orthonormal is rows of length one, at right angles, that span the same space: Gram-Schmidt.
func orthonormal(rows opwright.Tensor) opwright.Tensor {
	basis := opwright.ZerosLike(rows)
	for i, row := range rows.Unbind() {
		rest := row.Sub(basis.MatMul(row).MatMul(basis))
		basis.Index(int64(i)).CopyI(rest.Div(rest.Norm()))
	}
	return basis
}

// squaredDistances are those from each row of a to each row of b: |x|² - 2 x·y + |y|².
func squaredDistances(a, b opwright.Tensor) opwright.Tensor {
	one := []int64{1}
	products := a.MM(opwright.T(b)).MulScalar(opwright.Num(2))
	return a.Mul(a).SumDims(one, opwright.SumDimsOpts{Keepdim: opwright.Ptr(true)}).Sub(products).Add(b.Mul(b).SumDims(one))
}

// classify says what most of the nearest known points are.
func classify(known, labels, unknown opwright.Tensor) opwright.Tensor {
	_, nearest := squaredDistances(unknown, known).TopK(neighbours, opwright.TopKOpts{Dim: opwright.Ptr[int64](1), Largest: opwright.Ptr(false)})
	chosen := opwright.Index(labels, []opwright.Tensor{nearest}).Unsqueeze(-1)
	votes := chosen.Eq(opwright.Arange(opwright.Num(digits))).SumDims([]int64{1})
	return votes.Argmax(opwright.ArgmaxOpts{Dim: opwright.Ptr[int64](1)})
}
