package opwright

// #include <opwright.h>
import "C"

import "unsafe"

// Operator is an operator that has functions here, and what they are called in C.
type Operator struct {
	Name     string // "add.Tensor"
	Schema   string
	Function string // "ow_add_tensor"
}

// Operators lists all of them.
func Operators() []Operator {
	var count C.size_t
	rows := C.ow_operators(&count)
	operators := make([]Operator, count)
	for i, row := range unsafe.Slice(rows, count) {
		operators[i] = Operator{C.GoString(row.name), C.GoString(row.schema), C.GoString(row.function)}
	}
	return operators
}

// Version is the version of the library, such as 0.1.0.
func Version() string {
	return C.GoString(C.ow_version())
}

// LiveHandles is how many tensors, generators, storages, lists, texts and errors the library has
// handed out and not got back.
func LiveHandles() int64 {
	return int64(C.ow_live_handles())
}

// LiveBytes is how many bytes the storages of tensors have; foreign memory excepted, and memory of
// at most 64 bytes.
func LiveBytes() int64 {
	return int64(C.ow_live_bytes())
}

// NumThreads is how many threads a large kernel may use.
func NumThreads() int64 {
	return int64(C.ow_get_num_threads())
}

// SetNumThreads says how many threads a large kernel may use.
func SetNumThreads(count int64) {
	mustOf("SetNumThreads", C.ow_set_num_threads(C.int64_t(count)))
}

// ManualSeed starts the default generator anew.
func ManualSeed(seed uint64) {
	C.ow_manual_seed(C.uint64_t(seed))
}
