package main

import (
	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/nn"
	"github.com/opwright/opwright/go/opwright/optim"
)

const (
	hidden       = 128
	epochs       = 20
	batchSize    = 64
	learningRate = 1e-3
	seed         = 1
)

// untrained is a model of one hidden layer.
func untrained(pixels int64) *nn.Sequential {
	return nn.NewSequential(nn.NewLinear(pixels, hidden), nn.ReLU, nn.NewLinear(hidden, digits))
}

// lessons holds out a fifth of the digits; of the others, there are the batches of each round.
func lessons(points, labels opwright.Tensor) (split, [][]opwright.Tensor) {
	opwright.ManualSeed(seed)
	generator := opwright.NewGenerator(seed)
	count := points.Size(0)
	split := splitOf(points.CastTo(opwright.Float32), labels, shuffled(count, generator), count/5)
	var batches [][]opwright.Tensor
	for range epochs {
		batches = append(batches, shuffled(split.points.Size(0), generator).Split(batchSize))
	}
	return split, batches
}

// train teaches a model with Adam, and returns its accuracy on digits that it has not seen.
func train(model nn.Module, split split, batches [][]opwright.Tensor, show func(round int, loss, accuracy float64)) float64 {
	optimizer := optim.NewAdam(nn.Parameters(model), learningRate)
	for i, ofEpoch := range batches {
		total := 0.0
		for _, batch := range ofEpoch {
			opwright.Scope(func() {
				optimizer.ZeroGrad()
				scores := model.Forward(split.points.IndexSelect(0, batch))
				loss := opwright.CrossEntropyLoss(scores, split.labels.IndexSelect(0, batch))
				loss.Backward()
				optimizer.Step()
				total += loss.ItemScalar().Float()
			})
		}
		if round := i + 1; round == 1 || round%4 == 0 {
			show(round, total/float64(len(ofEpoch)), tested(model, split))
		}
	}
	return tested(model, split)
}

// tested says how many of the digits that it has not seen a model knows.
func tested(model nn.Module, split split) (share float64) {
	opwright.NoGrad(func() {
		opwright.Scope(func() {
			predicted := model.Forward(split.unseen).Argmax(opwright.ArgmaxOpts{Dim: opwright.Ptr[int64](1)})
			share = shareOf(predicted, split.truth)
		})
	})
	return share
}
