// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_halve
#cgo nocallback ow_halve
#include <opwright.h>
*/
import "C"

// Halve calls the operator `halve`.
//
//	halve(Tensor self) -> Tensor
func Halve(self Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_halve(self.c("halve", "self"), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

