// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_bounds
#cgo nocallback ow_bounds
#cgo noescape ow_bounds_out
#cgo nocallback ow_bounds_out
#cgo noescape ow_fold
#cgo nocallback ow_fold
#cgo noescape ow_fold_out
#cgo nocallback ow_fold_out
#include <opwright.h>
*/
import "C"

// Bounds calls the operator `bounds`.
//
//	bounds(Tensor self) -> (Tensor low, Tensor high)
func Bounds(self Tensor) (low, high Tensor) {
	var r0 *C.ow_tensor
	var r1 *C.ow_tensor
	err := C.ow_bounds(self.c("bounds", "self"), &r0, &r1)
	self.T.done()
	must(err)
	return adopt(r0), adopt(r1)
}

// BoundsOut is Bounds that writes to low and high.
//
//	bounds.out(Tensor self, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)
func BoundsOut(self, low, high Tensor) {
	err := C.ow_bounds_out(self.c("bounds", "self"), low.c("bounds", "low"), high.c("bounds", "high"))
	self.T.done()
	low.T.done()
	high.T.done()
	must(err)
}

// Fold calls the operator `fold`.
//
//	fold(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor
//
// Defaults: Dim none, Keepdim false, Dtype none.
func Fold(self Tensor, opts ...FoldOpts) Tensor {
	o := only(opts, "fold")
	var r0 *C.ow_tensor
	err := C.ow_fold(self.c("fold", "self"), (*C.int64_t)(given(o.Dim)), C.size_t(len(o.Dim)), C.bool(or(o.Keepdim, false)), o.Dtype.c(), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// FoldOut is Fold that writes to out.
//
//	fold.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)
//
// Defaults: Dim none, Keepdim false, Dtype none.
func FoldOut(self, out Tensor, opts ...FoldOutOpts) Tensor {
	o := only(opts, "fold")
	err := C.ow_fold_out(self.c("fold", "self"), (*C.int64_t)(given(o.Dim)), C.size_t(len(o.Dim)), C.bool(or(o.Keepdim, false)), o.Dtype.c(), out.c("fold", "out"))
	self.T.done()
	out.T.done()
	must(err)
	return out
}

// opwright/options_gen.go

package opwright

// FoldOpts are the options of [Fold].
type FoldOpts struct {
	Dim     []int64 // default none
	Keepdim *bool   // default false
	Dtype   DType   // default none
}

// FoldOutOpts are the options of [FoldOut].
type FoldOutOpts struct {
	Dim     []int64 // default none
	Keepdim *bool   // default false
	Dtype   DType   // default none
}

