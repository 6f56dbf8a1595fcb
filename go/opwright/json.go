package opwright

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unsafe"
)

// elements is a slice of the elements, of the type that the dtype has; those of 16 bits become
// float32.
func (t Tensor) elements(op string) any {
	t.check(op, "self")
	switch dtype := t.Dtype(); dtype {
	case Bool:
		return ToSlice[bool](t)
	case UInt8:
		return widened(ToSlice[uint8](t), func(v uint8) int64 { return int64(v) })
	case UInt16:
		return ToSlice[uint16](t)
	case UInt32:
		return ToSlice[uint32](t)
	case UInt64:
		return ToSlice[uint64](t)
	case Int8:
		return ToSlice[int8](t)
	case Int16:
		return ToSlice[int16](t)
	case Int32:
		return ToSlice[int32](t)
	case Int64:
		return ToSlice[int64](t)
	case Half:
		return widened(ToSlice[Float16](t), Float16.Float32)
	case BFloat:
		return widened(ToSlice[BFloat16](t), BFloat16.Float32)
	case Float32:
		return ToSlice[float32](t)
	case Float64:
		return ToSlice[float64](t)
	case Complex64:
		return ToSlice[complex64](t)
	case Complex128:
		return ToSlice[complex128](t)
	default:
		fail(ErrNotImplemented, op, "argument 'self' has dtype %v, which has no type in Go", dtype)
		return nil
	}
}

func widened[Narrow, Wide any](elements []Narrow, widen func(Narrow) Wide) []Wide {
	wide := make([]Wide, len(elements))
	for i, element := range elements {
		wide[i] = widen(element)
	}
	return wide
}

// MarshalJSON is the dtype, the shape, and the elements in row-major order:
//
//	{"dtype":"float32","shape":[2,2],"data":[1,2,3,4]}
//
// JSON has no NaN, which becomes null, and no infinity, which becomes a text, "Infinity" or
// "-Infinity". A complex number is a list of two. The zero Tensor is null.
func (t Tensor) MarshalJSON() ([]byte, error) {
	if t.T == nil {
		return []byte("null"), nil
	}
	var out []byte
	err := Do(func() {
		shape, _ := json.Marshal(append([]int64{}, t.Shape()...))
		out = fmt.Appendf(nil, `{"dtype":%q,"shape":%s,"data":[`, t.Dtype(), shape)
		out = append(appendElements(out, t.elements("MarshalJSON")), "]}"...)
	})
	return out, err
}

func appendElements(out []byte, elements any) []byte {
	switch elements := elements.(type) {
	case []bool:
		return joinElements(out, elements, strconv.AppendBool)
	case []uint16:
		return joinElements(out, elements, appendUint[uint16])
	case []uint32:
		return joinElements(out, elements, appendUint[uint32])
	case []uint64:
		return joinElements(out, elements, appendUint[uint64])
	case []int8:
		return joinElements(out, elements, appendInt[int8])
	case []int16:
		return joinElements(out, elements, appendInt[int16])
	case []int32:
		return joinElements(out, elements, appendInt[int32])
	case []int64:
		return joinElements(out, elements, appendInt[int64])
	case []float32:
		return joinElements(out, elements, func(out []byte, v float32) []byte { return appendFloat(out, float64(v), 32) })
	case []float64:
		return joinElements(out, elements, func(out []byte, v float64) []byte { return appendFloat(out, v, 64) })
	case []complex64:
		return joinElements(out, elements, func(out []byte, v complex64) []byte { return appendComplex(out, complex128(v), 32) })
	case []complex128:
		return joinElements(out, elements, func(out []byte, v complex128) []byte { return appendComplex(out, v, 64) })
	}
	return out
}

func joinElements[T any](out []byte, elements []T, put func([]byte, T) []byte) []byte {
	for i, element := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = put(out, element)
	}
	return out
}

func appendInt[T int8 | int16 | int32 | int64](out []byte, v T) []byte {
	return strconv.AppendInt(out, int64(v), 10)
}

func appendUint[T uint16 | uint32 | uint64](out []byte, v T) []byte {
	return strconv.AppendUint(out, uint64(v), 10)
}

func appendFloat(out []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(out, "null"...)
	case math.IsInf(v, 1):
		return append(out, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(out, `"-Infinity"`...)
	}
	return strconv.AppendFloat(out, v, 'g', -1, bits)
}

func appendComplex(out []byte, v complex128, bits int) []byte {
	out = appendFloat(append(out, '['), real(v), bits)
	return append(appendFloat(append(out, ','), imag(v), bits), ']')
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Tensor) UnmarshalJSON(text []byte) error {
	if bytes.Equal(bytes.TrimSpace(text), []byte("null")) {
		*t = Tensor{}
		return nil
	}
	var parsed struct {
		Dtype string          `json:"dtype"`
		Shape []int64         `json:"shape"`
		Data  json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &parsed); err != nil {
		return err
	}
	dtype := dtypeCalled(parsed.Dtype)
	if dtype == NoDType {
		return &Error{ErrValue, "UnmarshalJSON", fmt.Sprintf("UnmarshalJSON(): %q is no dtype", parsed.Dtype)}
	}
	made, err := parseElements(dtype, parsed.Shape, parsed.Data)
	if err == nil {
		*t = made
	}
	return err
}

func dtypeCalled(name string) DType {
	for dtype := Bool; dtype <= UInt64; dtype++ {
		if dtype.String() == name {
			return dtype
		}
	}
	return NoDType
}

func parseElements(dtype DType, shape []int64, data []byte) (Tensor, error) {
	switch dtype {
	case Bool:
		return parsed[bool, bool](shape, data, func(v bool) bool { return v })
	case UInt8:
		// Not []uint8, which is text to package json.
		return parsed[jsonByte](shape, data, func(v jsonByte) uint8 { return uint8(v) })
	case UInt16:
		return parsed[uint16](shape, data, func(v uint16) uint16 { return v })
	case UInt32:
		return parsed[uint32](shape, data, func(v uint32) uint32 { return v })
	case UInt64:
		return parsed[uint64](shape, data, func(v uint64) uint64 { return v })
	case Int8:
		return parsed[int8](shape, data, func(v int8) int8 { return v })
	case Int16:
		return parsed[int16](shape, data, func(v int16) int16 { return v })
	case Int32:
		return parsed[int32](shape, data, func(v int32) int32 { return v })
	case Int64:
		return parsed[int64](shape, data, func(v int64) int64 { return v })
	case Half:
		return parsed[jsonFloat](shape, data, func(v jsonFloat) Float16 { return NewFloat16(float32(v)) })
	case BFloat:
		return parsed[jsonFloat](shape, data, func(v jsonFloat) BFloat16 { return NewBFloat16(float32(v)) })
	case Float32:
		return parsed[jsonFloat](shape, data, func(v jsonFloat) float32 { return float32(v) })
	case Float64:
		return parsed[jsonFloat](shape, data, func(v jsonFloat) float64 { return float64(v) })
	case Complex64:
		return parsed[[2]jsonFloat](shape, data, func(v [2]jsonFloat) complex64 { return complex(float32(v[0]), float32(v[1])) })
	default:
		return parsed[[2]jsonFloat](shape, data, func(v [2]jsonFloat) complex128 { return complex(float64(v[0]), float64(v[1])) })
	}
}

// jsonByte is a uint8 of which a slice is no text.
type jsonByte uint8

// UnmarshalJSON reads it.
func (b *jsonByte) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, (*uint8)(b)) }

// jsonFloat is a number, or what stands for one that JSON does not have.
type jsonFloat float64

// UnmarshalJSON reads it.
func (f *jsonFloat) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "null":
		*f = jsonFloat(math.NaN())
		return nil
	case `"Infinity"`:
		*f = jsonFloat(math.Inf(1))
		return nil
	case `"-Infinity"`:
		*f = jsonFloat(math.Inf(-1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(f))
}

func parsed[Written any, T Element](shape []int64, data []byte, element func(Written) T) (made Tensor, err error) {
	var written []Written
	if err := json.Unmarshal(data, &written); err != nil {
		return made, err
	}
	elements := widened(written, element)
	err = Do(func() {
		checkCount("UnmarshalJSON", len(elements), shape)
		made = fromData("UnmarshalJSON", unsafe.Pointer(pointer(elements)), shape, DTypeOf[T]())
	})
	return made, err
}
