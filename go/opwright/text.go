package opwright

/*
#cgo noescape ow_tensor_to_string
#cgo nocallback ow_tensor_to_string
#include <opwright.h>
*/
import "C"

import (
	"fmt"
	"reflect"
	"strings"
)

// String is the tensor as Python shows it.
func (t Tensor) String() string {
	if t.T == nil {
		return "Tensor{}"
	}
	var text string
	err := Do(func() {
		var result *C.char
		err := C.ow_tensor_to_string(t.c("String", "self"), &result)
		t.T.done()
		mustOf("String", err)
		text = takeText(result)
	})
	if err != nil {
		return "Tensor{" + err.Error() + "}"
	}
	return text
}

// Print prints the tensor as Python shows it.
func (t Tensor) Print() { fmt.Println(t) }

// Format is what the verbs of package fmt show: %v and %s the tensor as Python shows it, %+v its
// strides besides, and verbs of numbers, such as %.3f, the elements in nested brackets, each with
// that verb.
func (t Tensor) Format(state fmt.State, verb rune) {
	switch verb {
	case 'v', 's':
		fmt.Fprint(state, t.String())
		if state.Flag('+') && t.T != nil {
			if err := Do(func() { fmt.Fprintf(state, " strides=%v", t.Stride()) }); err != nil {
				return
			}
		}
	default:
		format := fmt.FormatString(state, verb)
		if err := Do(func() { fmt.Fprint(state, t.formatted(format)) }); err != nil {
			fmt.Fprintf(state, "%%!%c(%v)", verb, err)
		}
	}
}

// formatted is the elements, each in a format.
func (t Tensor) formatted(format string) string {
	var out strings.Builder
	nested(&out, reflect.ValueOf(t.elements("Format")), t.Shape(), func(element any) string {
		return fmt.Sprintf(format, element)
	})
	return out.String()
}

// nested prints elements in brackets, and takes them from the front.
func nested(out *strings.Builder, elements reflect.Value, sizes []int64, text func(any) string) {
	if len(sizes) == 0 {
		out.WriteString(text(elements.Index(0).Interface()))
		return
	}
	out.WriteByte('[')
	step := 1
	for _, size := range sizes[1:] {
		step *= int(size)
	}
	for i := range int(sizes[0]) {
		if i > 0 {
			out.WriteByte(' ')
		}
		nested(out, elements.Slice(i*step, elements.Len()), sizes[1:], text)
	}
	out.WriteByte(']')
}
