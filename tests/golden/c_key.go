// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_internal_hidden_
#cgo nocallback ow_internal_hidden_
#cgo noescape ow_other_tensor
#cgo nocallback ow_other_tensor
#cgo noescape ow_parts
#cgo nocallback ow_parts
#include <opwright.h>
*/
import "C"

// InternalHiddenI calls the operator `_hidden_`.
//
//	_hidden_(Tensor(a!) self, Tensor? self_weight, Tensor?[] indices, bool[3] mask, int[2]? size=None) -> Tensor(a!)
//
// Defaults: Size none.
func InternalHiddenI(self, selfWeight Tensor, indices []Tensor, mask []bool, opts ...InternalHiddenIOpts) Tensor {
	o := only(opts, "_hidden_")
	var b2 [8]*C.ow_tensor
	c2 := handles(b2[:0], indices, "_hidden_", "indices")
	err := C.ow_internal_hidden_(self.c("_hidden_", "self"), selfWeight.c("_hidden_", "self_weight"), pointer(c2), C.size_t(len(c2)), (*C.bool)(pointer(mask)), C.size_t(len(mask)), (*C.int64_t)(given(o.Size)), C.size_t(len(o.Size)))
	self.T.done()
	selfWeight.T.done()
	keep(indices)
	must(err)
	return self
}

// Parts calls the operator `parts`.
//
//	parts(Tensor self, Device? device=None, Generator? generator=None, float? p=None) -> (Tensor[], int[], str, Tensor?)
//
// Defaults: Device none, Generator none, P none.
func Parts(self Tensor, opts ...PartsOpts) (result0 []Tensor, result1 []int64, result2 string, result3 Tensor) {
	o := only(opts, "parts")
	var r0 C.ow_tensor_list
	var r1 C.ow_int_list
	var r2 *C.char
	var r3 *C.ow_tensor
	err := C.ow_parts(self.c("parts", "self"), o.Device.c(), o.Generator.c("parts", "generator"), (*C.double)(o.P), &r0, &r1, &r2, &r3)
	self.T.done()
	o.Generator.done()
	must(err)
	return adoptAll(&r0), takeInts(&r1), takeText(r2), adopt(r3)
}

// Renamed calls the operator `renamed.Tensor`.
//
//	renamed.Tensor(Tensor self, Scalar default, str[] words) -> (Tensor result, int count)
func Renamed(self Tensor, default_ Scalar, words []string) (result Tensor, count int64) {
	var r0 *C.ow_tensor
	var r1 C.int64_t
	var err *C.ow_error
	withStrings(words, "renamed", "words", func(g2 **C.char, n2 C.size_t) {
		err = C.ow_other_tensor(self.c("renamed", "self"), default_.c(), g2, n2, &r0, &r1)
	})
	self.T.done()
	must(err)
	return adopt(r0), int64(r1)
}

// opwright/options_gen.go

package opwright

// InternalHiddenIOpts are the options of [InternalHiddenI].
type InternalHiddenIOpts struct {
	Size []int64 // default none
}

// PartsOpts are the options of [Parts].
type PartsOpts struct {
	Device    Device     // default none
	Generator *Generator // default none
	P         *float64   // default none
}

