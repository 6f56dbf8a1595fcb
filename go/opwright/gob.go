package opwright

/*
#cgo noescape ow_tensor_to_bytes
#cgo nocallback ow_tensor_to_bytes
#cgo noescape ow_tensor_from_bytes
#cgo nocallback ow_tensor_from_bytes
#include <opwright.h>
*/
import "C"

import (
	"unsafe"
)

// MarshalBinary is the image of a .npy file. The zero Tensor is no bytes.
func (t Tensor) MarshalBinary() (image []byte, err error) {
	if t.T == nil {
		return nil, nil
	}
	err = Do(func() {
		var bytes *C.uint8_t
		var count C.size_t
		err := C.ow_tensor_to_bytes(t.c("MarshalBinary", "self"), &bytes, &count)
		t.T.done()
		mustOf("MarshalBinary", err)
		defer C.ow_bytes_free(bytes, count)
		image = append([]byte{}, unsafe.Slice((*byte)(bytes), count)...)
	})
	return image, err
}

// UnmarshalBinary reads the image of a .npy file.
func (t *Tensor) UnmarshalBinary(image []byte) error {
	if len(image) == 0 {
		*t = Tensor{}
		return nil
	}
	return Do(func() {
		var result *C.ow_tensor
		err := C.ow_tensor_from_bytes((*C.uint8_t)(pointer(image)), C.size_t(len(image)), &result)
		mustOf("UnmarshalBinary", err)
		*t = adopt(result)
	})
}

// GobEncode is [Tensor.MarshalBinary].
func (t Tensor) GobEncode() ([]byte, error) { return t.MarshalBinary() }

// GobDecode is [Tensor.UnmarshalBinary].
func (t *Tensor) GobDecode(image []byte) error { return t.UnmarshalBinary(image) }
