package opwright

/*
#cgo noescape ow_set_default_dtype
#cgo nocallback ow_set_default_dtype
#include <opwright.h>
*/
import "C"

// DType is the type of a tensor's elements. The zero value, [NoDType], is none.
type DType int32

// The names that GoTorch has for some of them.
const (
	Byte   = UInt8   // uint8
	Char   = Int8    // int8
	Short  = Int16   // int16
	Int    = Int32   // int32
	Long   = Int64   // int64
	Float  = Float32 // float32
	Double = Float64 // float64
)

// String is the dtype's name, such as float32.
func (d DType) String() string {
	if d == NoDType {
		return "none"
	}
	return C.GoString(C.ow_dtype_name(d.c()))
}

// Size is how many bytes an element has; 0 for NoDType.
func (d DType) Size() int64 {
	return int64(C.ow_dtype_size(d.c()))
}

func (d DType) c() C.ow_dtype {
	return C.ow_dtype(d) - 1
}

func dtypeOf(c C.ow_dtype) DType {
	return DType(c) + 1
}

// IsFloating says whether the elements are floating numbers.
func (d DType) IsFloating() bool {
	return d == Half || d == BFloat || d == Float32 || d == Float64
}

// IsComplex says whether the elements are complex numbers.
func (d DType) IsComplex() bool { return d == Complex64 || d == Complex128 }

// DefaultDType is the dtype of floating numbers of which no dtype is said.
func DefaultDType() DType {
	return dtypeOf(C.ow_default_dtype())
}

// SetDefaultDType says which that is.
func SetDefaultDType(dtype DType) {
	mustOf("SetDefaultDType", C.ow_set_default_dtype(dtype.c()))
}

// Layout is how a tensor finds its elements. The zero value, [NoLayout], is none.
type Layout int32

func (l Layout) c() C.ow_layout {
	return C.ow_layout(l) - 1
}

func layoutOf(c C.ow_layout) Layout {
	return Layout(c) + 1
}

// Device is where a tensor's memory is. The zero value, [NoDevice], is none.
type Device int32

// NewDevice is the device of this name, "cpu" or "meta".
func NewDevice(name string) Device {
	switch name {
	case "cpu":
		return CPU
	case "meta":
		return Meta
	}
	fail(ErrRuntime, "NewDevice", "argument 'name' is %q, which is no device; there are \"cpu\" and \"meta\"", name)
	return NoDevice
}

func (d Device) c() C.ow_device {
	return C.ow_device(d) - 1
}

func deviceOf(c C.ow_device) Device {
	return Device(c) + 1
}

// MemoryFormat is the order of dimensions in memory that a caller wishes for. The zero value,
// [NoMemoryFormat], is none.
type MemoryFormat int32

func (m MemoryFormat) c() C.ow_memory_format {
	return C.ow_memory_format(m) - 1
}

func memoryFormatOf(c C.ow_memory_format) MemoryFormat {
	return MemoryFormat(c) + 1
}

func named(number int32, names ...string) string {
	if number < 0 || int(number) >= len(names) {
		return "?"
	}
	return names[number]
}
