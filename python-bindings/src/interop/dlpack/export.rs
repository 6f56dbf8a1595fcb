//! Capsules around our tensors.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use opwright_runtime::{Error, Tensor};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::structs::{CPU, DataType, Managed, NAME, VERSION, VERSIONED_NAME, Versioned, View};
use crate::failure::Failure;
use crate::raw::{self, Lent, entry};

/// What a capsule keeps: the structure that consumers see comes first.
#[repr(C)]
struct Export<T> {
    seen: T,
    _tensor: Tensor,
    /// So that it stays where it is.
    _lent: Option<opwright_runtime::Lent>,
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
    let lent = tensor.storage().map(|it| it.lend()).transpose()?;
    let (name, export, destroy): (_, NonNull<c_void>, unsafe extern "C" fn(*mut PyObject)) =
        if versioned {
            let export = export((tensor, lent), |view| Versioned {
                version: VERSION,
                context: std::ptr::null_mut(),
                deleter: Some(delete::<Versioned>),
                flags: 0,
                view,
            });
            (VERSIONED_NAME, export.cast(), destroy_versioned)
        } else {
            let export = export((tensor, lent), |view| Managed {
                view,
                context: std::ptr::null_mut(),
                deleter: Some(delete::<Managed>),
            });
            (NAME, export.cast(), destroy_plain)
        };
    // SAFETY: the destructor gives an export of this kind back once, unless a consumer has taken it,
    // by which the capsule gets another name.
    Ok(unsafe { raw::capsule(py, export, name, destroy)? })
}

fn export<T>(
    (tensor, lent): (Tensor, Option<opwright_runtime::Lent>),
    seen: impl FnOnce(View) -> T,
) -> NonNull<Export<T>> {
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
    let export =
        Export { seen: seen(view), _tensor: tensor, _lent: lent, _shape: shape, _strides: strides };
    NonNull::from(Box::leak(Box::new(export)))
}

/// Frees an export by the pointer that consumers have.
unsafe extern "C" fn delete<T>(seen: *mut T) {
    // SAFETY: what is seen is the first field of what `export` leaked; whoever has the pointer gives
    // it back once, by the protocol.
    unsafe { drop(Box::from_raw(seen.cast::<Export<T>>())) }
}

entry! {
    fn destroy_plain(_py, capsule: Lent<PyAny>) -> () {
        give_back::<Managed>(&capsule, NAME);
    }

    fn destroy_versioned(_py, capsule: Lent<PyAny>) -> () {
        give_back::<Versioned>(&capsule, VERSIONED_NAME);
    }
}

/// Frees what a capsule has at the end of its life; one that was taken has another name.
fn give_back<T>(capsule: &Bound<'_, PyAny>, name: &'static CStr) {
    if let Some(seen) = raw::capsule_pointer(capsule, name) {
        // SAFETY: `capsule` gave the name and an export of this kind to the capsule, which is freed
        // once.
        unsafe { delete::<T>(seen.cast().as_ptr()) };
    }
}
