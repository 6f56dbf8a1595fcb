// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_squash
#cgo nocallback ow_squash
#include <opwright.h>
*/
import "C"

// Squash maps each element to the interval from 0 to 1.
//
// Integers are converted to the default dtype first.
//
//	squash(Tensor self) -> Tensor
func Squash(self Tensor) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_squash(self.c("squash", "self"), &r0)
	self.T.done()
	must(err)
	return adopt(r0)
}

// opwright/methods_gen.go

package opwright

// Squash maps each element to the interval from 0 to 1.
//
// See the function [Squash].
func (self Tensor) Squash() Tensor {
	return Squash(self)
}

