package opwright_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/opwright/opwright/go/opwright"
)

// dtypeCase is a dtype, and what can be said of it.
type dtypeCase struct {
	dtype opwright.DType
	name  string
	one   any // of the dtype's type
	check func(t *testing.T)
}

func caseOf[T opwright.Element](dtype opwright.DType, name string, zero, one T) dtypeCase {
	return dtypeCase{dtype, name, one, func(t *testing.T) {
		if opwright.DTypeOf[T]() != dtype || dtype.String() != name || dtype.Size() != int64(unsafe.Sizeof(one)) {
			t.Errorf("DTypeOf %v, String %v, Size %v", opwright.DTypeOf[T](), dtype, dtype.Size())
		}
		data := []T{zero, one, one, zero, one, zero}
		a := opwright.FromSlice(data, 2, 3)
		if a.Dtype() != dtype || a.ElementSize() != dtype.Size() || a.Nbytes() != 6*dtype.Size() {
			t.Errorf("%v, %v, %v", a.Dtype(), a.ElementSize(), a.Nbytes())
		}
		is(t, a, data...)
		is(t, opwright.T(a), zero, zero, one, one, one, zero)
		opwright.Data(a, func(elements []T) { elements[0] = one })
		if got := a.Index(0, 0).Item(); got != any(one) {
			t.Errorf("Item is %v of type %T", got, got)
		}
		is(t, opwright.NewTensor([][]T{{zero, one}, {one, one}}), zero, one, one, one)
		is[T](t, opwright.FromBlob(a.DataPtr(), dtype, []int64{0}))
		is(t, opwright.FromSlice([]uint8{0, 1}).CastTo(dtype), zero, one)
		is(t, opwright.Ones([]int64{1}, opwright.OnesOpts{Dtype: dtype}), one)
	}}
}

var dtypes = []dtypeCase{
	caseOf(opwright.Bool, "bool", false, true),
	caseOf[uint8](opwright.UInt8, "uint8", 0, 1),
	caseOf[uint16](opwright.UInt16, "uint16", 0, 1),
	caseOf[uint32](opwright.UInt32, "uint32", 0, 1),
	caseOf[uint64](opwright.UInt64, "uint64", 0, 1),
	caseOf[int8](opwright.Int8, "int8", 0, 1),
	caseOf[int16](opwright.Int16, "int16", 0, 1),
	caseOf[int32](opwright.Int32, "int32", 0, 1),
	caseOf[int64](opwright.Int64, "int64", 0, 1),
	caseOf(opwright.Half, "float16", 0, opwright.NewFloat16(1)),
	caseOf(opwright.BFloat, "bfloat16", 0, opwright.NewBFloat16(1)),
	caseOf[float32](opwright.Float32, "float32", 0, 1),
	caseOf[float64](opwright.Float64, "float64", 0, 1),
	caseOf[complex64](opwright.Complex64, "complex64", 0, 1),
	caseOf[complex128](opwright.Complex128, "complex128", 0, 1),
}

func TestG26AllDtypes(t *testing.T) {
	for _, it := range dtypes {
		t.Run(it.name, func(t *testing.T) { unchanged(t, func() { it.check(t) }) })
	}
	if opwright.NoDType.String() != "none" || opwright.NoDType.Size() != 0 || opwright.Float != opwright.Float32 {
		t.Error("NoDType is none")
	}
}

func TestG26DevicesAndConstructors(t *testing.T) {
	meta := matrix().To(opwright.Meta)
	if meta.Device() != opwright.Meta || meta.DataPtr() != nil || opwright.NewDevice("cpu") != opwright.CPU {
		t.Error("a meta tensor has no memory")
	}
	if fmt.Sprint(opwright.CPU, opwright.Meta, opwright.Strided, opwright.ChannelsLast, opwright.Device(9)) != "cpu meta strided channels_last ?" {
		t.Error("names")
	}
	if a := matrix(); !a.To(opwright.CPU).SameAs(a) || a.To(opwright.CPU, opwright.Int64).Dtype() != opwright.Int64 {
		t.Error("To converts if need be")
	}
	is[int64](t, opwright.NewTensor([]int{1, 2}), 1, 2)
	is[uint64](t, opwright.NewTensor([]uint{1, 2}), 1, 2)
	is[float32](t, opwright.NewTensor([2][1]float32{{1}, {2}}), 1, 2)
	is(t, opwright.NewTensor(2.5), 2.5)
	if shape := opwright.NewTensor([][]float32{}).Shape(); shape[0] != 0 || shape[1] != 0 {
		t.Errorf("%v", shape)
	}
	shared := matrix()
	blob := opwright.FromBlob(shared.DataPtr(), opwright.Float32, []int64{4})
	shared.MulScalarI(opwright.Num(2))
	is[float32](t, blob, 2, 4, 6, 8)
	storage := shared.Storage()
	if storage.Bytes() < 16 || storage.DataPtr() != shared.DataPtr() || meta.Storage().Bytes() != 0 {
		t.Error("a storage has the elements")
	}
	storage.Close()
	opwright.ManualSeed(7)
	first := opwright.ToSlice[float32](opwright.Rand([]int64{3}))
	opwright.ManualSeed(7)
	is(t, opwright.Rand([]int64{3}), first...)
	is(t, opwright.RandGenerator([]int64{3}, opwright.NewGenerator(7)), first...)
	before := opwright.DefaultDType()
	opwright.SetDefaultDType(opwright.Float64)
	if opwright.Zeros([]int64{1}).Dtype() != opwright.Float64 {
		t.Error("the default dtype is that of zeros")
	}
	opwright.SetDefaultDType(before)
}

func TestScalars(t *testing.T) {
	for _, it := range []struct {
		scalar opwright.Scalar
		text   string
	}{
		{opwright.Num(true), "true"},
		{opwright.Num(-3), "-3"},
		{opwright.Num(uint8(3)), "3"},
		{opwright.Num(2.5), "2.5"},
		{opwright.Num(opwright.NewFloat16(0.5)), "0.5"},
		{opwright.Num(complex(1, 2)), "(1+2i)"},
		{opwright.Scalar{}, "no number"},
	} {
		if it.scalar.String() != it.text {
			t.Errorf("%v, expected %s", it.scalar, it.text)
		}
	}
	number := opwright.Num(2.5)
	if !number.IsFloat() || number.IsInt() || number.IsBool() || number.IsComplex() || number.Int() != 2 || number.Float() != 2.5 ||
		number.Complex() != 2.5 || !number.Bool() || opwright.Num(3).Float() != 3 || opwright.Num(complex64(2)).Int() != 2 {
		t.Error("a scalar is converted")
	}
	is[float32](t, matrix().AddScalar(number), 3.5, 4.5, 5.5, 6.5)
}

func TestNoUnsignedNumberIsRounded(t *testing.T) {
	const greatest = math.MaxUint64
	a := opwright.FromSlice([]uint64{greatest})
	text, err := json.Marshal(a)
	if a.Item() != uint64(greatest) || fmt.Sprintf("%d", a) != "[18446744073709551615]" || err != nil {
		t.Errorf("%v, %d, %v", a.Item(), a, err)
	}
	var back opwright.Tensor
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	is[uint64](t, back, greatest)
}

func TestJSON(t *testing.T) {
	text, err := json.Marshal(matrix())
	if err != nil || string(text) != `{"dtype":"float32","shape":[2,2],"data":[1,2,3,4]}` {
		t.Errorf("%s, %v", text, err)
	}
	for _, it := range dtypes {
		one := opwright.Ones([]int64{2, 0, 1}, opwright.OnesOpts{Dtype: it.dtype})
		for _, a := range []opwright.Tensor{one, opwright.Ones([]int64{1, 2}, opwright.OnesOpts{Dtype: it.dtype}), {}} {
			var back opwright.Tensor
			text, err := json.Marshal(a)
			if err == nil {
				err = json.Unmarshal(text, &back)
			}
			if err != nil || back.Defined() != a.Defined() || a.Defined() && (!opwright.Equal(a, back) || back.Dtype() != it.dtype || !reflect.DeepEqual(a.Shape(), back.Shape())) {
				t.Errorf("%v: %s, %v", it.name, text, err)
			}
		}
	}
	odd := opwright.FromSlice([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 1e300})
	text, err = json.Marshal(odd)
	if err != nil || string(text) != `{"dtype":"float64","shape":[5],"data":[null,"Infinity","-Infinity",0.1,1e+300]}` {
		t.Errorf("%s, %v", text, err)
	}
	var back opwright.Tensor
	if err := json.Unmarshal(text, &back); err != nil || fmt.Sprint(opwright.ToSlice[float64](back)) != fmt.Sprint(opwright.ToSlice[float64](odd)) {
		t.Error(err)
	}
	for _, text := range []string{`{}`, `{"dtype":"float99"}`, `{"dtype":"float32","shape":[2],"data":[1]}`, `{"dtype":"int8","shape":[1],"data":[999]}`, `{"dtype":"uint8","shape":[1],"data":[-1]}`, `[]`, `{"dtype":"float32","shape":[-1],"data":[]}`, `{"dtype":"uint8","shape":[1],"data":[256]}`} {
		if err := json.Unmarshal([]byte(text), &back); err == nil {
			t.Errorf("%s is no tensor", text)
		}
	}
}

func TestGradients(t *testing.T) {
	unchanged(t, func() {
		x := matrix().SetRequiresGrad(true)
		y := x.Mul(x).Sum()
		y.Backward(opwright.BackwardOpts{RetainGraph: opwright.Ptr(true)})
		is[float32](t, x.Grad(), 2, 4, 6, 8)
		is[float32](t, opwright.Grads([]opwright.Tensor{y}, []opwright.Tensor{x})[0], 2, 4, 6, 8)
		x.SetGrad(opwright.Tensor{})
		if x.Grad().Defined() || !x.RequiresGrad() || x.Detach().RequiresGrad() {
			t.Error("the gradient was forgotten")
		}
		opwright.NoGrad(func() {
			if opwright.GradEnabled() || x.Mul(x).RequiresGrad() {
				t.Error("nothing is recorded")
			}
		})
		if !opwright.GradEnabled() {
			t.Error("recording goes on")
		}
	})
}
