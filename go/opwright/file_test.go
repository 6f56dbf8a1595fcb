package opwright_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/opwright/opwright/go/opwright"
)

func same(a, b opwright.Tensor) bool {
	return a.Dtype() == b.Dtype() && reflect.DeepEqual(a.Shape(), b.Shape()) && opwright.Equal(a, b)
}

func TestG24FilesOfOneTensor(t *testing.T) {
	unchanged(t, func() {
		for _, it := range dtypes {
			path := filepath.Join(t.TempDir(), "tensor.npy")
			a := opwright.Ones([]int64{2, 3}, opwright.OnesOpts{Dtype: it.dtype})
			err := opwright.Do(func() { opwright.T(a).Save(path) })
			if it.dtype == opwright.BFloat {
				if err == nil {
					t.Error("a .npy file has no name for bfloat16")
				}
				continue
			}
			if err != nil || !same(opwright.Load(path), opwright.T(a)) {
				t.Errorf("%v: %v", it.name, err)
			}
		}
	})
}

func TestG24FilesOfSeveralTensors(t *testing.T) {
	unchanged(t, func() {
		wanted := map[string]opwright.Tensor{
			"weight":     matrix(),
			"layer.bias": opwright.FromSlice([]int64{1, 2, 3}),
			"empty":      opwright.Zeros([]int64{0, 2}),
		}
		for _, ending := range []string{".safetensors", ".npz"} {
			path := filepath.Join(t.TempDir(), "state"+ending)
			opwright.SaveAll(wanted, path)
			got := opwright.LoadAll(path)
			if len(got) != len(wanted) {
				t.Errorf("%s: %d tensors", ending, len(got))
			}
			for name, tensor := range wanted {
				if !got[name].Defined() || !same(got[name], tensor) {
					t.Errorf("%s: %s", ending, name)
				}
			}
		}
	})
}

func TestG24NumpyReadsTheFile(t *testing.T) {
	python := ""
	for _, it := range []string{os.Getenv("OPWRIGHT_PYTHON"), "../../.venv/bin/python", "python3"} {
		if it != "" && exec.Command(it, "-c", "import numpy").Run() == nil {
			python = it
			break
		}
	}
	if python == "" {
		t.Skip("not run: no Python with numpy")
	}
	path := filepath.Join(t.TempDir(), "tensor.npy")
	opwright.T(opwright.FromSlice([]float64{1, 2, 3, 4, 5, 6}, 2, 3)).Save(path)
	said, err := exec.Command(python, "-c", "import numpy, sys; print(numpy.load(sys.argv[1]).tolist())", path).CombinedOutput()
	if err != nil || strings.TrimSpace(string(said)) != "[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]" {
		t.Errorf("%s, %v", said, err)
	}
}

func TestG24Gob(t *testing.T) {
	type checkpoint struct {
		Step          int
		Weight, Empty opwright.Tensor
	}
	unchanged(t, func() {
		var image bytes.Buffer
		if err := gob.NewEncoder(&image).Encode(checkpoint{3, matrix(), opwright.Tensor{}}); err != nil {
			t.Fatal(err)
		}
		var got checkpoint
		if err := gob.NewDecoder(&image).Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got.Step != 3 || !same(got.Weight, matrix()) || got.Empty.Defined() {
			t.Errorf("%+v", got)
		}
		binary, err := matrix().MarshalBinary()
		if err != nil || !bytes.HasPrefix(binary, []byte("\x93NUMPY")) {
			t.Errorf("%q, %v", binary, err)
		}
		if err := got.Weight.UnmarshalBinary(binary[:20]); err == nil {
			t.Error("half of a file is no tensor")
		}
		closed := matrix()
		closed.Close()
		if _, err := closed.GobEncode(); !errors.Is(err, opwright.ErrValue) {
			t.Error(err)
		}
	})
}

func TestG24FilesThatCannotBeRead(t *testing.T) {
	unchanged(t, func() {
		missing := filepath.Join(t.TempDir(), "missing", "file.npz")
		for _, f := range []func(){
			func() { opwright.Load(missing) },
			func() { opwright.LoadAll(missing) },
			func() { matrix().Save(missing) },
			func() { opwright.SaveAll(map[string]opwright.Tensor{"a": matrix()}, missing) },
		} {
			refused(t, opwright.ErrRuntime, f, missing)
		}
		refused(t, opwright.ErrType, func() { opwright.Tensor{}.Save(missing) }, "self")
		refused(t, opwright.ErrValue, func() { opwright.Load("a\x00b") }, "NUL")
	})
}

func TestText(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{0.5, 1})
		const python = "tensor([0.5, 1.0], dtype=float32, shape=(2,))"
		for format, wanted := range map[string]string{
			"%v":    python,
			"%s":    python,
			"%+v":   python + " strides=[1]",
			"%.3f":  "[0.500 1.000]",
			"%5.1f": "[  0.5   1.0]",
		} {
			if got := fmt.Sprintf(format, a); got != wanted {
				t.Errorf("%s: %q, expected %q", format, got, wanted)
			}
		}
		if got := fmt.Sprintf("%03d", opwright.FromSlice([]uint8{1, 2, 3, 4}, 2, 2)); got != "[[001 002] [003 004]]" {
			t.Error(got)
		}
		if got := fmt.Sprintf("%.1f", opwright.Zeros([]int64{2, 0})); got != "[[] []]" {
			t.Error(got)
		}
		closed := matrix()
		closed.Close()
		if text := fmt.Sprint(closed, opwright.Tensor{}); !strings.Contains(text, "closed") || !strings.Contains(text, "Tensor{}") {
			t.Error(text)
		}
		if text := fmt.Sprintf("%.1f", closed); !strings.Contains(text, "closed") {
			t.Error(text)
		}
	})
}

func ExampleTensor_Print() {
	opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2).Print()
	// Output:
	// tensor([[1., 2.],
	//         [3., 4.]], dtype=float32, shape=(2, 2))
}
