// Command digits recognises handwritten digits: by their nearest neighbours, and with a model that
// learns. It is examples/digits.py in Go, and finds the same.
//
// It reads the data set of scikit-learn, 1,797 digits of 8 by 8 pixels, from the file digits.csv.gz
// in sklearn/datasets/data:
//
//	go run ./opwright/examples/digits digits.csv.gz
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/opwright/opwright/go/opwright"
)

const requiredAccuracy = 0.97

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: digits PATH/TO/digits.csv.gz")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "digits:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	points, labels, err := read(path)
	if err != nil {
		return err
	}
	var accuracies []float64
	err = opwright.Do(func() {
		accuracies = append(accuracies, showNeighbours(points, labels), showTraining(points, labels))
	})
	if err != nil {
		return err
	}
	for _, accuracy := range accuracies {
		if accuracy < requiredAccuracy {
			return fmt.Errorf("the accuracy should be at least %v, but is %.4f", requiredAccuracy, accuracy)
		}
	}
	return nil
}

// showNeighbours classifies a held-out third, and returns the accuracy.
func showNeighbours(points, labels opwright.Tensor) float64 {
	generator := opwright.NewGenerator(0)
	count, pixels := points.Size(0), points.Size(1)
	split := splitOf(points, labels, shuffled(count, generator), count/3)
	start := opwright.RandNGenerator([]int64{axes, pixels}, generator, opwright.RandNGeneratorOpts{Dtype: points.Dtype()})
	fmt.Printf("%d digits to learn from, %d held out\n", split.points.Size(0), split.truth.Size(0))
	fmt.Printf("%d of %d dimensions kept, %d neighbours vote\n\n", axes, pixels, neighbours)
	begin := time.Now()
	predicted := byNeighbours(split, start)
	took := time.Since(begin)
	accuracy := shareOf(predicted, split.truth)
	fmt.Printf("accuracy %.4f, in %.1f ms\n", accuracy, took.Seconds()*1000)
	return accuracy
}

// showTraining teaches a model, tests it on a held-out fifth, and returns the accuracy.
func showTraining(points, labels opwright.Tensor) float64 {
	split, batches := lessons(points, labels)
	model := untrained(points.Size(1))
	fmt.Printf("\nA model of %d hidden numbers learns %d digits in %d rounds:\n\n", hidden, split.points.Size(0), epochs)
	fmt.Printf("%8s%12s%12s\n", "round", "loss", "accuracy")
	begin := time.Now()
	accuracy := train(model, split, batches, func(round int, loss, accuracy float64) {
		fmt.Printf("%8d%12.4f%12.4f\n", round, loss, accuracy)
	})
	fmt.Printf("\naccuracy %.4f, in %.1f ms\n", accuracy, time.Since(begin).Seconds()*1000)
	return accuracy
}
