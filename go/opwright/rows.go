package opwright

import "iter"

// Rows goes through the views at the indices of the first dimension:
//
//	for i, row := range t.Rows() {
//		fmt.Println(i, row)
//	}
//
// Each is freed as every tensor is. A tensor without dimensions has none, and panics with kind [ErrType].
func (t Tensor) Rows() iter.Seq2[int64, Tensor] {
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
