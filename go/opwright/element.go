package opwright

import "math"

// Element is what slices that are copied from and into tensors consist of.
type Element interface {
	bool | uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 |
		Float16 | BFloat16 | float32 | float64 | complex64 | complex128
}

// Float16 is a floating number of 16 bits, 10 of which are digits.
type Float16 uint16

// BFloat16 is the upper half of a float32.
type BFloat16 uint16

// DTypeOf is the dtype whose elements are of type T.
func DTypeOf[T Element]() DType {
	var element T
	return dtypeOfElement(element)
}

func dtypeOfElement(element any) DType {
	switch element.(type) {
	case bool:
		return Bool
	case uint8:
		return UInt8
	case uint16:
		return UInt16
	case uint32:
		return UInt32
	case uint64:
		return UInt64
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case Float16:
		return Half
	case BFloat16:
		return BFloat
	case float32:
		return Float32
	case float64:
		return Float64
	case complex64:
		return Complex64
	case complex128:
		return Complex128
	}
	return NoDType
}

// NewBFloat16 rounds to the nearest number, and to an even one between two.
func NewBFloat16(v float32) BFloat16 {
	bits := math.Float32bits(v)
	if v != v {
		return BFloat16(bits>>16 | 0x40)
	}
	return BFloat16((bits + 0x7fff + bits>>16&1) >> 16)
}

// Float32 is the same number.
func (b BFloat16) Float32() float32 { return math.Float32frombits(uint32(b) << 16) }

// NewFloat16 rounds to the nearest number, and to an even one between two.
func NewFloat16(v float32) Float16 {
	bits := math.Float32bits(v)
	sign := Float16(bits >> 16 & 0x8000)
	magnitude := math.Abs(float64(v))
	switch {
	case v != v:
		return sign | 0x7e00
	case magnitude >= 65520:
		return sign | 0x7c00
	case magnitude < 0x1p-14:
		return sign | Float16(math.RoundToEven(magnitude*0x1p24))
	}
	// Rounding may carry into the exponent, which is then right as well.
	rest := bits & 0x7fffffff
	rest += 0xfff + rest>>13&1
	return sign | Float16(rest>>13-(127-15)<<10)
}

// Float32 is the same number.
func (f Float16) Float32() float32 {
	sign, exponent, digits := uint32(f&0x8000)<<16, uint32(f>>10&31), uint32(f&0x3ff)
	switch exponent {
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(digits)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | digits<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | digits<<13)
}
