package opwright_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/opwright/opwright/go/opwright"
	"github.com/opwright/opwright/go/opwright/internal/preamble"
	"github.com/opwright/opwright/go/opwright/nn/functional"
)

// refused calls f, which has to panic with an error of a kind whose text has these words.
func refused(t *testing.T, kind opwright.ErrorKind, f func(), words ...string) {
	t.Helper()
	err := opwright.Do(f)
	if !errors.Is(err, kind) {
		t.Errorf("expected a %v, but: %v", kind, err)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}

// is compares the elements of a tensor.
func is[T opwright.Element](t *testing.T, got opwright.Tensor, wanted ...T) {
	t.Helper()
	if elements := opwright.ToSlice[T](got); !slices.Equal(elements, wanted) {
		t.Errorf("got %v, expected %v", elements, wanted)
	}
}

func matrix() opwright.Tensor { return opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2) }

func TestG5FunctionAndMethod(t *testing.T) {
	a := matrix()
	is[float32](t, opwright.MM(a, a), 7, 10, 15, 22)
	is[float32](t, a.MM(a), 7, 10, 15, 22)
}

func TestG6AReferenceSharesMemory(t *testing.T) {
	a := matrix()
	b := a.Ref()
	b.MulScalarI(opwright.Num(2))
	is[float32](t, a, 2, 4, 6, 8)
	if !a.SameAs(b) || a.SameAs(a.Clone()) || a.SharesMemory(a.Clone()) {
		t.Error("a reference is the same tensor, and a clone is another")
	}
	if (opwright.Tensor{}).Defined() || !a.Defined() {
		t.Error("the zero Tensor refers to none")
	}
}

func TestG13SourcesAreFormatted(t *testing.T) {
	count := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		count++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		formatted, err := format.Source(source)
		if err == nil && !bytes.Equal(source, formatted) {
			t.Errorf("%s is not formatted", path)
		}
		return err
	})
	if err != nil || count < 20 {
		t.Error(count, err)
	}
}

func TestG14ATensorIsOnePointer(t *testing.T) {
	tensor := reflect.TypeFor[opwright.Tensor]()
	if tensor.NumField() != 1 || tensor.Field(0).Type.Kind() != reflect.Pointer || tensor.Field(0).Name != "T" {
		t.Errorf("%v", tensor)
	}
	if unsafe.Sizeof(opwright.Tensor{}) != unsafe.Sizeof(uintptr(0)) {
		t.Error("it is larger")
	}
}

func TestG17AViewCopiesNothing(t *testing.T) {
	a := opwright.FromSlice(make([]float32, 1000))
	view := a.View(10, 100)
	if view.DataPtr() != a.DataPtr() || !view.SharesMemory(a) {
		t.Error("a view is elsewhere")
	}
	view.Select(0, 1).FillI(opwright.Num(7))
	if opwright.ToSlice[float32](a)[100] != 7 {
		t.Error("what is written to a view is not in the tensor")
	}
}

// What people wrote wins over an operator of this name.
var writtenMethods = []string{"T", "Index", "Dim", "Item", "Size", "Stride", "Numel", "Shape", "Storage"}

func TestG18EveryMethodVariantIsAMethod(t *testing.T) {
	described, err := os.ReadFile("../../native_functions.yaml")
	if err != nil {
		t.Skip("not run: the descriptions of operators are not here")
	}
	goNames := namesByFunction(t)
	methods := reflect.TypeFor[opwright.Tensor]()
	count := 0
	functions := map[string]string{}
	for _, operator := range opwright.Operators() {
		functions[operator.Name] = operator.Function
	}
	for _, entry := range strings.Split(string(described), "\n- func: ")[1:] {
		name, _, _ := strings.Cut(entry, "(")
		variants := ""
		for line := range strings.Lines(entry) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "variants:"); ok {
				variants = rest
			}
		}
		goName := goNames[functions[name]]
		if !strings.Contains(variants, "method") || goName == "" || slices.Contains(writtenMethods, goName) {
			continue
		}
		count++
		if _, ok := methods.MethodByName(goName); !ok {
			t.Errorf("%s has a method variant, but Tensor has no method %s", name, goName)
		}
	}
	if count < 300 {
		t.Errorf("there are only %d", count)
	}
}

// namesByFunction says which function of Go calls a function of C.
func namesByFunction(t *testing.T) map[string]string {
	set, files := sources(t, ".")
	names := map[string]string{}
	for _, file := range files {
		if !strings.HasSuffix(set.Position(file.Pos()).Filename, "functions_gen.go") {
			continue
		}
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok {
				callsIn(function, func(_ *ast.CallExpr, name string) {
					if c, ok := strings.CutPrefix(name, "C."); ok {
						names[c] = function.Name.Name
					}
				})
			}
		}
	}
	return names
}

func TestEveryOperatorHasAFunction(t *testing.T) {
	names := namesByFunction(t)
	for _, operator := range opwright.Operators() {
		if names[operator.Function] == "" {
			t.Errorf("%s is called by no function", operator.Name)
		}
	}
}

func TestG20AnAbsentTensor(t *testing.T) {
	x, w := matrix(), opwright.FromSlice([]float32{1, 0, 0, 1}, 2, 2)
	is[float32](t, functional.Linear(x, w, functional.LinearOpts{Bias: opwright.Tensor{}}), 1, 2, 3, 4)
	is[float32](t, functional.Linear(x, w, functional.LinearOpts{Bias: opwright.FromSlice([]float32{10, 20})}), 11, 22, 13, 24)
	refused(t, opwright.ErrType, func() { x.MM(opwright.Tensor{}) }, "mm()", "'mat2'")
}

func TestG21ListsMayBeEmpty(t *testing.T) {
	scalar := opwright.FromSlice([]float32{5}).View()
	if got := scalar.Permute(); got.Dim() != 0 || got.Item() != float32(5) {
		t.Errorf("%v", got.Shape())
	}
	if got := opwright.Zeros(nil); got.Dim() != 0 {
		t.Errorf("%v", got.Shape())
	}
	refused(t, opwright.ErrRuntime, func() { opwright.Stack(nil) }, "stack()")
	is[float32](t, matrix().SumDims([]int64{}), 10)
}

func TestG22TextsAreTakenAndGiven(t *testing.T) {
	unchanged(t, func() {
		a := opwright.FromSlice([]float32{7, -7})
		two := opwright.FromSlice([]float32{2, 2})
		for range 100 {
			floor := a.DivTensorMode(two, opwright.Ptr("floor"))
			is[float32](t, floor, 3, -4)
		}
		refused(t, opwright.ErrValue, func() { a.DivTensorMode(two, opwright.Ptr("fl\x00oor")) }, "NUL")
		refused(t, opwright.ErrRuntime, func() { a.DivTensorMode(two, opwright.Ptr("up")) }, "up")
	})
}

func TestG23SeveralResults(t *testing.T) {
	values, indices := opwright.FromSlice([]float32{3, 1, 2}).TopK(2)
	is[float32](t, values, 3, 2)
	is[int64](t, indices, 0, 2)
}

func TestG27Options(t *testing.T) {
	x := opwright.FromSlice([]float32{3, 1, 2}, 1, 3, 1)
	for _, it := range []struct {
		got    opwright.Tensor
		wanted []int64
	}{
		{x.Squeeze(), []int64{3}},
		{x.Squeeze(0), []int64{3, 1}},
		{x.Squeeze(0, 2), []int64{3}},
		{x.View(3, -1), []int64{3, 1}},
		{opwright.Permute(x, 1, 0, 2), []int64{3, 1, 1}},
		{opwright.Zeros([]int64{2, 3}, opwright.ZerosOpts{Dtype: opwright.Int64}), []int64{2, 3}},
	} {
		if got := it.got.Shape(); !slices.Equal(got, it.wanted) {
			t.Errorf("%v, expected %v", got, it.wanted)
		}
	}
	flat := x.View(-1)
	values, _ := opwright.TopK(flat, 3)
	is[float32](t, values, 3, 2, 1)
	values, _ = opwright.TopK(flat, 2, opwright.TopKOpts{Largest: opwright.Ptr(false)})
	is[float32](t, values, 1, 2)
	refused(t, opwright.ErrType, func() { flat.TopK(1, opwright.TopKOpts{}, opwright.TopKOpts{}) }, "topk()", "opts")
	is[float32](t, flat.Add(flat, opwright.AddOpts{Alpha: opwright.Ptr(opwright.Num(10))}), 33, 11, 22)
}

func TestG28APreambleOfOnesOwn(t *testing.T) {
	if preamble.Version() != opwright.Version() || opwright.Version() == "" {
		t.Errorf("%q, %q", preamble.Version(), opwright.Version())
	}
}

func TestChainsInPlace(t *testing.T) {
	x := opwright.FromSlice([]float32{-3, 1})
	if !x.AddI(opwright.FromSlice([]float32{1, 1})).ReluI().SameAs(x) {
		t.Error("a method in place returns the tensor")
	}
	is[float32](t, x, 0, 2)
	out := opwright.Empty([]int64{2, 2})
	is[float32](t, opwright.MMOut(matrix(), matrix(), out), 7, 10, 15, 22)
	is[float32](t, out, 7, 10, 15, 22)
}

// wrong is what nobody should do with a tensor, and how the function and the argument are called.
var wrong = []struct {
	name, argument string
	call           func(opwright.Tensor)
}{
	{"add()", "self", func(t opwright.Tensor) { t.Add(matrix()) }},
	{"add()", "other", func(t opwright.Tensor) { matrix().Add(t) }},
	{"mm()", "mat2", func(t opwright.Tensor) { opwright.MM(matrix(), t) }},
	{"stack()", "tensors", func(t opwright.Tensor) { opwright.Stack([]opwright.Tensor{matrix(), t}) }},
	{"relu_()", "self", func(t opwright.Tensor) { t.ReluI() }},
	{"Shape()", "self", func(t opwright.Tensor) { t.Shape() }},
	{"Stride()", "self", func(t opwright.Tensor) { t.Stride() }},
	{"Dim()", "self", func(t opwright.Tensor) { t.Dim() }},
	{"Size()", "self", func(t opwright.Tensor) { t.Size(0) }},
	{"Numel()", "self", func(t opwright.Tensor) { t.Numel() }},
	{"Dtype()", "self", func(t opwright.Tensor) { t.Dtype() }},
	{"Device()", "self", func(t opwright.Tensor) { t.Device() }},
	{"IsContiguous()", "self", func(t opwright.Tensor) { t.IsContiguous() }},
	{"DataPtr()", "self", func(t opwright.Tensor) { t.DataPtr() }},
	{"ToSlice()", "t", func(t opwright.Tensor) { opwright.ToSlice[float32](t) }},
	{"Data()", "t", func(t opwright.Tensor) { opwright.Data(t, func([]float32) {}) }},
	{"CastTo()", "self", func(t opwright.Tensor) { t.CastTo(opwright.Int64) }},
	{"RequiresGrad()", "self", func(t opwright.Tensor) { t.RequiresGrad() }},
}

func TestTheZeroTensorIsRefused(t *testing.T) {
	unchanged(t, func() {
		for _, it := range wrong {
			refused(t, opwright.ErrType, func() { it.call(opwright.Tensor{}) }, it.name, "'"+it.argument+"'")
		}
	})
	for _, call := range []func(opwright.Tensor){
		func(t opwright.Tensor) { t.Item() },
		func(t opwright.Tensor) { t.Ref() },
		func(t opwright.Tensor) { t.Index(0) },
		func(t opwright.Tensor) { t.Backward() },
		func(t opwright.Tensor) { t.Grad() },
		func(t opwright.Tensor) { t.Storage() },
		func(t opwright.Tensor) { t.SetRequiresGrad(true) },
	} {
		refused(t, opwright.ErrType, func() { call(opwright.Tensor{}) }, "argument 'self'")
	}
}

func TestClosedTensorsAreRefused(t *testing.T) {
	unchanged(t, func() {
		for _, it := range wrong {
			closed := matrix()
			closed.Close()
			refused(t, opwright.ErrValue, func() { it.call(closed) }, it.name, "'"+it.argument+"'", "closed")
		}
		generator := opwright.NewGenerator(1)
		generator.Close()
		generator.Close()
		refused(t, opwright.ErrValue, func() { opwright.RandGenerator([]int64{1}, generator) }, "generator", "closed")
	})
}

func TestErrorsSayWhatWasWrong(t *testing.T) {
	for _, it := range []struct {
		kind opwright.ErrorKind
		name string
		call func()
	}{
		{opwright.ErrRuntime, "mm()", func() { matrix().MM(opwright.FromSlice([]float32{1})) }},
		{opwright.ErrIndex, "Size()", func() { matrix().Size(2) }},
		{opwright.ErrIndex, "Index()", func() { matrix().Index(2) }},
		{opwright.ErrType, "Rows()", func() {
			for range matrix().Sum().Rows() {
			}
		}},
		{opwright.ErrType, "ToSlice()", func() { opwright.ToSlice[int64](matrix()) }},
		{opwright.ErrRuntime, "Data()", func() { opwright.Data(opwright.T(matrix()), func([]float32) {}) }},
		{opwright.ErrNotImplemented, "Data()", func() { opwright.Data(matrix().To(opwright.Meta), func([]float32) {}) }},
		{opwright.ErrRuntime, "FromSlice()", func() { opwright.FromSlice([]float32{1, 2}, 3) }},
		{opwright.ErrRuntime, "FromSlice()", func() { opwright.FromSlice([]float32{1, 2}, -2) }},
		{opwright.ErrRuntime, "FromSlice()", func() { opwright.FromSlice([]float32{1, 2}, 1<<62, 1<<62) }},
		{opwright.ErrType, "NewTensor()", func() { opwright.NewTensor("text") }},
		{opwright.ErrType, "NewTensor()", func() { opwright.NewTensor(nil) }},
		{opwright.ErrValue, "NewTensor()", func() { opwright.NewTensor([][]float32{{1}, {2, 3}}) }},
		{opwright.ErrRuntime, "NewDevice()", func() { opwright.NewDevice("cuda") }},
		{opwright.ErrValue, "zeros()", func() { opwright.Zeros([]int64{1}, opwright.ZerosOpts{Dtype: 99}) }},
		{opwright.ErrRuntime, "", func() { opwright.Zeros([]int64{-1}) }},
		{opwright.ErrRuntime, "SetNumThreads()", func() { opwright.SetNumThreads(0) }},
		{opwright.ErrRuntime, "Load()", func() { opwright.Load("nowhere.npy") }},
		{opwright.ErrRuntime, "LoadAll()", func() { opwright.LoadAll("nowhere.npz") }},
		{opwright.ErrRuntime, "Save()", func() { matrix().Save("") }},
		{opwright.ErrValue, "SaveAll()", func() { opwright.SaveAll(nil, "model.txt") }},
		{opwright.ErrOverflow, "Num()", func() { opwright.Num(uint64(1 << 63)) }},
		{opwright.ErrValue, "add()", func() { matrix().AddScalar(opwright.Scalar{}) }},
		{opwright.ErrRuntime, "ItemScalar()", func() { matrix().Item() }},
		{opwright.ErrRuntime, "Backward()", func() { matrix().Backward() }},
	} {
		refused(t, it.kind, it.call, it.name)
	}
	_, err := opwright.Try(func() opwright.Tensor { return matrix().MM(opwright.FromSlice([]float32{1})) })
	var own *opwright.Error
	if !errors.As(err, &own) || own.Op != "mm" || own.Kind != opwright.ErrRuntime {
		t.Errorf("%+v", own)
	}
	if opwright.ErrRuntime.Error() != "RuntimeError" {
		t.Errorf("%v", opwright.ErrRuntime)
	}
}

func TestRowsAreViews(t *testing.T) {
	unchanged(t, func() {
		a := matrix()
		for i, row := range a.Rows() {
			row.AddScalarI(opwright.Num(10 * i))
			if i == 1 {
				break
			}
			row.Close()
		}
		is[float32](t, a, 1, 2, 13, 14)
		for range opwright.Zeros([]int64{0, 2}).Rows() {
			t.Error("there is no row")
		}
	})
}

func TestTryLetsOtherPanicsGoOn(t *testing.T) {
	defer func() {
		if recover() != "another" {
			t.Error("the panic did not arrive")
		}
	}()
	_, _, _ = opwright.Try2(func() (int, int) { panic("another") })
}
