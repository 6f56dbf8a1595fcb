// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_spread
#cgo nocallback ow_spread
#cgo noescape ow_spread_out
#cgo nocallback ow_spread_out
#include <opwright.h>
*/
import "C"

// Spread calls the operator `spread`.
//
//	spread(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1) -> (Tensor low, Tensor high)
//
// Defaults: Dim -1.
func Spread(self, mask Tensor, parts []Tensor, opts ...SpreadOpts) (low, high Tensor) {
	o := only(opts, "spread")
	var b2 [8]*C.ow_tensor
	c2 := handles(b2[:0], parts, "spread", "parts")
	var r0 *C.ow_tensor
	var r1 *C.ow_tensor
	err := C.ow_spread(self.c("spread", "self"), mask.c("spread", "mask"), pointer(c2), C.size_t(len(c2)), C.int64_t(or(o.Dim, -1)), &r0, &r1)
	self.T.done()
	mask.T.done()
	keep(parts)
	must(err)
	return adopt(r0), adopt(r1)
}

// SpreadOut is Spread that writes to low and high.
//
//	spread.out(Tensor self, Tensor? mask, Tensor[] parts, int dim=-1, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!) low, Tensor(b!) high)
//
// Defaults: Dim -1.
func SpreadOut(self, mask Tensor, parts []Tensor, low, high Tensor, opts ...SpreadOutOpts) {
	o := only(opts, "spread")
	var b2 [8]*C.ow_tensor
	c2 := handles(b2[:0], parts, "spread", "parts")
	err := C.ow_spread_out(self.c("spread", "self"), mask.c("spread", "mask"), pointer(c2), C.size_t(len(c2)), C.int64_t(or(o.Dim, -1)), low.c("spread", "low"), high.c("spread", "high"))
	self.T.done()
	mask.T.done()
	keep(parts)
	low.T.done()
	high.T.done()
	must(err)
}

// opwright/options_gen.go

package opwright

// SpreadOpts are the options of [Spread].
type SpreadOpts struct {
	Dim *int64 // default -1
}

// SpreadOutOpts are the options of [SpreadOut].
type SpreadOutOpts struct {
	Dim *int64 // default -1
}

