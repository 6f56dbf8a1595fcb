// Package opwright computes with tensors: arrays of numbers with any number of dimensions.
//
//	a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
//	c := a.MM(a)
//	values, indices := c.TopK(1, opwright.TopKOpts{Largest: opwright.Ptr(false)})
//
// Functions and methods are those of the operators. A mistake panics with an [*Error]; [Try]
// returns it instead, for as many calls as one likes.
//
// A [Tensor] is freed when nothing refers to it any more and the collector finds that out; sooner
// with [Tensor.Close], or at the end of a [Scope]. The collector is made to run when tensors that
// were made since its last run hold more memory than [SetPressure] says.
//
// Tensors may be used by many goroutines at once. Who writes to one needs a lock, as for a slice.
package opwright
