//! Capsules around our tensors.

use std::ffi::c_void;

use opwright_runtime::{Error, Tensor};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::structs::{CPU, DataType, Managed, NAME, VERSION, VERSIONED_NAME, Versioned, View};
use crate::failure::Failure;

/// What a capsule keeps: the structure that consumers see comes first.
#[repr(C)]
struct Export<T> {
    seen: T,
    _tensor: Tensor,
    _shape: Vec<i64>,
    _strides: Vec<i64>,
}

/// A capsule with a view of `tensor`, which the view keeps alive.
///
/// # Errors
///
/// `BufferError` for a meta tensor, `MemoryError`.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    tensor: Tensor,
    versioned: bool,
) -> Result<Bound<'py, PyAny>, Failure> {
    if tensor.device().is_meta() {
        return Err(Error::not_implemented("a meta tensor has no memory to share").into());
    }
    let (name, export, destroy): (_, *mut c_void, unsafe extern "C" fn(*mut PyObject)) =
        if versioned {
            let export = export(tensor, |view| Versioned {
                version: VERSION,
                context: std::ptr::null_mut(),
                deleter: Some(delete::<Versioned>),
                flags: 0,
                view,
            });
            (VERSIONED_NAME, export.cast(), destroy_versioned)
        } else {
            let export = export(tensor, |view| Managed {
                view,
                context: std::ptr::null_mut(),
                deleter: Some(delete::<Managed>),
            });
            (NAME, export.cast(), destroy_plain)
        };
    // SAFETY: a pointer that the destructor, or the consumer, gives back once.
    unsafe {
        let capsule = ffi::PyCapsule_New(export, name.as_ptr(), Some(destroy));
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?)
    }
}

fn export<T>(tensor: Tensor, seen: impl FnOnce(View) -> T) -> *mut Export<T> {
    let (mut shape, mut strides) = (tensor.shape().to_vec(), tensor.strides().to_vec());
    let view = View {
        data: tensor.data_ptr().cast(),
        device: [CPU, 0],
        ndim: tensor.ndim() as i32,
        dtype: DataType::of(tensor.dtype()),
        shape: shape.as_mut_ptr(),
        strides: strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let export = Export { seen: seen(view), _tensor: tensor, _shape: shape, _strides: strides };
    Box::into_raw(Box::new(export))
}

/// Frees an export by the pointer that consumers have.
unsafe extern "C" fn delete<T>(seen: *mut T) {
    // SAFETY: made by `export`, whose first field is what is seen; called once.
    unsafe { drop(Box::from_raw(seen.cast::<Export<T>>())) }
}

unsafe extern "C" fn destroy_plain(capsule: *mut PyObject) {
    // SAFETY: a capsule of this kind, at the end of its life; one that was taken
    // has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) != 0 {
            delete::<Managed>(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn destroy_versioned(capsule: *mut PyObject) {
    // SAFETY: as above.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED_NAME.as_ptr()) != 0 {
            let pointer = ffi::PyCapsule_GetPointer(capsule, VERSIONED_NAME.as_ptr());
            delete::<Versioned>(pointer.cast());
        }
    }
}
