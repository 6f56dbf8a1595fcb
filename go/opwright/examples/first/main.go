// Command first multiplies a matrix by itself.
package main

import (
	"fmt"

	"github.com/opwright/opwright/go/opwright"
)

func main() {
	a := opwright.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
	product := a.MM(a)
	values, at := product.TopK(1, opwright.TopKOpts{Largest: opwright.Ptr(false)})
	fmt.Println(opwright.ToSlice[float32](product))
	fmt.Println(opwright.ToSlice[float32](values), opwright.ToSlice[int64](at))
}
