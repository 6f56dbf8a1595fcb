package opwright

/*
#cgo noescape ow_tensor_save
#cgo nocallback ow_tensor_save
#cgo noescape ow_tensor_load
#cgo nocallback ow_tensor_load
#cgo noescape ow_tensors_save
#cgo nocallback ow_tensors_save
#cgo noescape ow_tensors_load
#cgo nocallback ow_tensors_load
#include <opwright.h>
*/
import "C"

import (
	"maps"
	"slices"
	"unsafe"
)

// Save writes a .npy file, which every scientific tool reads.
func (t Tensor) Save(path string) {
	withString(path, "Save", "path", func(path *C.char) {
		err := C.ow_tensor_save(t.c("Save", "self"), path)
		t.T.done()
		mustOf("Save", err)
	})
}

// Save writes a tensor to a .npy file; [SaveAll] writes several.
func Save(t Tensor, path string) { t.Save(path) }

// Load reads a .npy file.
func Load(path string) Tensor {
	var result *C.ow_tensor
	withString(path, "Load", "path", func(path *C.char) {
		mustOf("Load", C.ow_tensor_load(path, &result))
	})
	return adopt(result)
}

// SaveAll writes several tensors to a file, by the ending of its path: .safetensors or .npz.
func SaveAll(tensors map[string]Tensor, path string) {
	names := slices.Sorted(maps.Keys(tensors))
	ordered := make([]Tensor, len(names))
	for i, name := range names {
		ordered[i] = tensors[name]
	}
	all := handles(nil, ordered, "SaveAll", "tensors")
	withString(path, "SaveAll", "path", func(path *C.char) {
		withStrings(names, "SaveAll", "tensors", func(names **C.char, count C.size_t) {
			err := C.ow_tensors_save(names, pointer(all), count, path)
			keep(ordered)
			mustOf("SaveAll", err)
		})
	})
}

// LoadAll reads such a file.
func LoadAll(path string) map[string]Tensor {
	var list C.ow_named_tensor_list
	withString(path, "LoadAll", "path", func(path *C.char) {
		mustOf("LoadAll", C.ow_tensors_load(path, &list))
	})
	defer C.ow_named_tensor_list_free(&list)
	rows := unsafe.Slice(list.data, list.len)
	tensors := make(map[string]Tensor, len(rows))
	for i := range rows {
		tensors[C.GoString(rows[i].name)] = adopt(rows[i].tensor)
		rows[i].tensor = nil
	}
	return tensors
}
