package main

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"

	"github.com/opwright/opwright/go/opwright"
)

// read is the digits of a file: a row of numbers each, the last of which says which digit it is.
func read(path string) (points, labels opwright.Tensor, err error) {
	file, err := os.Open(path)
	if err != nil {
		return points, labels, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return points, labels, fmt.Errorf("%s: %w", path, err)
	}
	rows, err := csv.NewReader(unpacked).ReadAll()
	if err != nil {
		return points, labels, fmt.Errorf("%s: %w", path, err)
	}
	var pixels []float64
	var digits []int64
	for _, row := range rows {
		for i, text := range row {
			number, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return points, labels, fmt.Errorf("%s: %w", path, err)
			}
			if i < len(row)-1 {
				pixels = append(pixels, number)
			} else {
				digits = append(digits, int64(number))
			}
		}
	}
	err = opwright.Do(func() {
		labels = opwright.FromSlice(digits)
		points = opwright.FromSlice(pixels).View(int64(len(digits)), -1)
	})
	return points, labels, err
}

// A split is digits to learn from, and others.
type split struct{ points, labels, unseen, truth opwright.Tensor }

// splitOf holds out the first so many of the digits in an order.
func splitOf(points, labels, order opwright.Tensor, heldOut int64) split {
	unseen, rest := order.Narrow(0, 0, heldOut), order.Narrow(0, heldOut, order.Numel()-heldOut)
	return split{
		points: points.IndexSelect(0, rest),
		labels: labels.IndexSelect(0, rest),
		unseen: points.IndexSelect(0, unseen),
		truth:  labels.IndexSelect(0, unseen),
	}
}

// shuffled is the numbers below count in a random order.
func shuffled(count int64, generator *opwright.Generator) opwright.Tensor {
	return opwright.RandGenerator([]int64{count}, generator).Argsort()
}

// shareOf says how many of the digits were recognised.
func shareOf(predicted, truth opwright.Tensor) float64 {
	hits := predicted.Eq(truth).Sum().ItemScalar().Float()
	return hits / float64(truth.Numel())
}
