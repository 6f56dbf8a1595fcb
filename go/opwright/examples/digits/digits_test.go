package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/opwright/opwright/go/opwright"
)

// data is where the digits are: what OPWRIGHT_DIGITS says, or in the repository's environment.
func data(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("OPWRIGHT_DIGITS"); path != "" {
		return path
	}
	found, _ := filepath.Glob("../../../../.venv/lib/python3*/site-packages/sklearn/datasets/data/digits.csv.gz")
	if len(found) == 0 {
		t.Skip("not run: scikit-learn's digits are not here; OPWRIGHT_DIGITS says where they are")
	}
	return found[0]
}

// What examples/digits.py prints of the same digits.
const (
	neighboursInPython = 0.9850
	modelInPython      = 0.9833
)

func TestDigitsAsInPython(t *testing.T) {
	points, labels, err := read(data(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := showNeighbours(points, labels); math.Abs(got-neighboursInPython) > 5e-5 {
		t.Errorf("neighbours: %.4f, in Python %v", got, neighboursInPython)
	}
	if got := showTraining(points, labels); math.Abs(got-modelInPython) > 5e-5 {
		t.Errorf("the model: %.4f, in Python %v", got, modelInPython)
	}
	opwright.GC()
}

func TestMissingFileIsAnError(t *testing.T) {
	if err := run("no such file"); err == nil {
		t.Error("there is no such file")
	}
}
