// opwright/functions_gen.go

package opwright

/*
#cgo noescape ow_bucket_count
#cgo nocallback ow_bucket_count
#cgo noescape ow_bucket_edges
#cgo nocallback ow_bucket_edges
#cgo noescape ow_bucket_width
#cgo nocallback ow_bucket_width
#cgo noescape ow_bucket_width_out
#cgo nocallback ow_bucket_width_out
#include <opwright.h>
*/
import "C"

// Bucket: The bucket of each element, where all are equally wide.
//
//	bucket.width(Tensor x, float width) -> Tensor
func Bucket(x Tensor, width float64) Tensor {
	var r0 *C.ow_tensor
	err := C.ow_bucket_width(x.c("bucket", "x"), C.double(width), &r0)
	x.T.done()
	must(err)
	return adopt(r0)
}

// BucketCount calls the operator `bucket.count`.
//
//	bucket.count(Tensor x, str rule, int count) -> Tensor
func BucketCount(x Tensor, rule string, count int64) Tensor {
	var r0 *C.ow_tensor
	var err *C.ow_error
	withString(rule, "bucket", "rule", func(g1 *C.char) {
		err = C.ow_bucket_count(x.c("bucket", "x"), g1, C.int64_t(count), &r0)
	})
	x.T.done()
	must(err)
	return adopt(r0)
}

// BucketEdges: The bucket of each element between edges that are given.
//
//	bucket.edges(Tensor x, Tensor edges, *, bool right=False) -> Tensor
//
// Defaults: Right false.
func BucketEdges(x, edges Tensor, opts ...BucketEdgesOpts) Tensor {
	o := only(opts, "bucket")
	var r0 *C.ow_tensor
	err := C.ow_bucket_edges(x.c("bucket", "x"), edges.c("bucket", "edges"), C.bool(or(o.Right, false)), &r0)
	x.T.done()
	edges.T.done()
	must(err)
	return adopt(r0)
}

// BucketOut is Bucket that writes to out.
//
//	bucket.width_out(Tensor x, float width, *, Tensor(a!) out) -> Tensor(a!)
func BucketOut(x Tensor, width float64, out Tensor) Tensor {
	err := C.ow_bucket_width_out(x.c("bucket", "x"), C.double(width), out.c("bucket", "out"))
	x.T.done()
	out.T.done()
	must(err)
	return out
}

// opwright/options_gen.go

package opwright

// BucketEdgesOpts are the options of [BucketEdges].
type BucketEdgesOpts struct {
	Right *bool // default false
}

