package opwright

/*
#cgo noescape ow_internal_to_copy
#cgo nocallback ow_internal_to_copy
#include <opwright.h>
*/
import "C"

// To copies the tensor to a device, and to a dtype if one is given. If nothing changes, it is
// another reference to the same tensor.
func (t Tensor) To(device Device, dtype ...DType) Tensor {
	return t.converted("To", device, only(dtype, "To"))
}

// CastTo converts the elements. If nothing changes, it is another reference to the same tensor.
func (t Tensor) CastTo(dtype DType) Tensor { return t.converted("CastTo", NoDevice, dtype) }

// CopyTo is [Tensor.To] without a dtype.
func (t Tensor) CopyTo(device Device) Tensor { return t.converted("CopyTo", device, NoDType) }

func (t Tensor) converted(op string, device Device, dtype DType) Tensor {
	t.check(op, "self")
	if (device == NoDevice || device == t.Device()) && (dtype == NoDType || dtype == t.Dtype()) {
		return t.Ref()
	}
	var result *C.ow_tensor
	err := C.ow_internal_to_copy(t.c(op, "self"), dtype.c(), C.OW_LAYOUT_NONE, device.c(), nil, false, C.OW_MEMORY_FORMAT_NONE, &result)
	t.T.done()
	mustOf(op, err)
	return adopt(result)
}
