package opwright

// #include <opwright.h>
import "C"

import (
	"fmt"
	"math"
	"reflect"
	"unsafe"
)

// Scalar is a number of one of four kinds: bool, integer, floating, complex. [Num] makes one.
type Scalar struct {
	kind   int32
	i      int64
	re, im float64
}

// Number is what [Num] makes a [Scalar] of.
type Number interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Num makes a Scalar of a number or a bool of Go. It panics with kind [ErrOverflow] if an unsigned
// number is too large for an int64.
func Num[T Number](v T) Scalar {
	value := reflect.ValueOf(v)
	switch number := any(v).(type) {
	case Float16:
		return floating(float64(number.Float32()))
	case BFloat16:
		return floating(float64(number.Float32()))
	}
	switch {
	case value.Kind() == reflect.Bool:
		return truth(value.Bool())
	case value.CanInt():
		return integer(value.Int())
	case value.CanUint():
		if value.Uint() > math.MaxInt64 {
			fail(ErrOverflow, "Num", "argument 'v' is %d, which is too large for a Scalar", value.Uint())
		}
		return integer(int64(value.Uint()))
	case value.CanFloat():
		return floating(value.Float())
	default:
		return Scalar{kind: C.OW_SCALAR_COMPLEX, re: real(value.Complex()), im: imag(value.Complex())}
	}
}

func truth(v bool) Scalar {
	if v {
		return Scalar{kind: C.OW_SCALAR_BOOL, i: 1}
	}
	return Scalar{kind: C.OW_SCALAR_BOOL}
}

func integer(v int64) Scalar {
	return Scalar{kind: C.OW_SCALAR_INT, i: v}
}

func floating(v float64) Scalar {
	return Scalar{kind: C.OW_SCALAR_FLOAT, re: v}
}

// IsBool says whether it is a bool.
func (s Scalar) IsBool() bool {
	return s.kind == C.OW_SCALAR_BOOL
}

// IsInt says whether it is an integer.
func (s Scalar) IsInt() bool {
	return s.kind == C.OW_SCALAR_INT
}

// IsFloat says whether it is a floating number.
func (s Scalar) IsFloat() bool {
	return s.kind == C.OW_SCALAR_FLOAT
}

// IsComplex says whether it is a complex number.
func (s Scalar) IsComplex() bool {
	return s.kind == C.OW_SCALAR_COMPLEX
}

// Int is the number as an integer; what is behind the point is cut off, and an imaginary part too.
func (s Scalar) Int() int64 {
	if s.IsFloat() || s.IsComplex() {
		return int64(s.re)
	}
	return s.i
}

// Float is the number as a floating one, without an imaginary part.
func (s Scalar) Float() float64 {
	if s.IsFloat() || s.IsComplex() {
		return s.re
	}
	return float64(s.i)
}

// Complex is the number as a complex one.
func (s Scalar) Complex() complex128 {
	if s.IsComplex() {
		return complex(s.re, s.im)
	}
	return complex(s.Float(), 0)
}

// Bool is whether the number is not zero.
func (s Scalar) Bool() bool { return s.i != 0 || s.re != 0 || s.im != 0 }

// String is the number.
func (s Scalar) String() string {
	switch s.kind {
	case C.OW_SCALAR_BOOL:
		return fmt.Sprint(s.Bool())
	case C.OW_SCALAR_INT:
		return fmt.Sprint(s.i)
	case C.OW_SCALAR_FLOAT:
		return fmt.Sprint(s.re)
	case C.OW_SCALAR_COMPLEX:
		return fmt.Sprint(s.Complex())
	}
	return "no number"
}

func (s Scalar) c() C.ow_scalar {
	return C.ow_scalar{kind: C.ow_scalar_kind(s.kind), i: C.int64_t(s.i), re: C.double(s.re), im: C.double(s.im)}
}

func scalarOf(s C.ow_scalar) Scalar {
	return Scalar{kind: int32(s.kind), i: int64(s.i), re: float64(s.re), im: float64(s.im)}
}

// A Scalar has the layout of C's, so that slices of them can be lent.
func scalars(s []Scalar) *C.ow_scalar {
	return (*C.ow_scalar)(unsafe.Pointer(pointer(s)))
}

func scalarPointer(s *Scalar) *C.ow_scalar {
	return (*C.ow_scalar)(unsafe.Pointer(s))
}

// These do not compile if the layouts differ.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(Scalar{})-C.sizeof_ow_scalar]
	_ = [1]struct{}{}[unsafe.Offsetof(Scalar{}.im)-unsafe.Offsetof(C.ow_scalar{}.im)]
)
