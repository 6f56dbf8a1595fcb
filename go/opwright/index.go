package opwright

/*
#cgo noescape ow_select_int
#cgo nocallback ow_select_int
#include <opwright.h>
*/
import "C"

// Index is the view at these indices of the first dimensions; negative ones count from the end.
// What tensors select is [opwright.Index].
func (t Tensor) Index(i ...int64) Tensor {
	result := t.Ref()
	for _, at := range i {
		outer := result
		result = outer.selected("Index", at)
		outer.Close()
	}
	return result
}

// Rows goes through the views at the indices of the first dimension:
//
//	for i, row := range t.Rows() {
//		fmt.Println(i, row)
//	}
//
// Each is freed as every tensor is. A tensor without dimensions has none, and panics with kind [ErrType].
func (t Tensor) Rows() func(yield func(int64, Tensor) bool) {
	return func(yield func(int64, Tensor) bool) {
		if t.Dim() == 0 {
			fail(ErrType, "Rows", "argument 'self' has no dimension to go along")
		}
		for i := range t.Size(0) {
			if !yield(i, t.selected("Rows", i)) {
				return
			}
		}
	}
}

// selected is the view at an index of the first dimension.
func (t Tensor) selected(op string, at int64) Tensor {
	var result *C.ow_tensor
	err := C.ow_select_int(t.c(op, "self"), 0, C.int64_t(at), &result)
	t.T.done()
	mustOf(op, err)
	return adopt(result)
}
