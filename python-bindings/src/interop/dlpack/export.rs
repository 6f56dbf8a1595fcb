//! Capsules around our tensors.

use std::ffi::CStr;

use opwright_runtime::{Error, Tensor};
use pyo3::prelude::*;

use super::structs::{CPU, DataType, Managed, NAME, VERSION, VERSIONED_NAME, Versioned, View};
use crate::failure::Failure;
use crate::raw::{self, Named};

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
    Ok(if versioned {
        let seen = |view| Versioned {
            version: VERSION,
            context: std::ptr::null_mut(),
            deleter: Some(delete::<Versioned>),
            flags: 0,
            view,
        };
        raw::capsule_of(py, export((tensor, lent), seen))?
    } else {
        let seen = |view| Managed {
            view,
            context: std::ptr::null_mut(),
            deleter: Some(delete::<Managed>),
        };
        raw::capsule_of(py, export((tensor, lent), seen))?
    })
}

impl Named for Export<Managed> {
    const NAME: &'static CStr = NAME;
}

impl Named for Export<Versioned> {
    const NAME: &'static CStr = VERSIONED_NAME;
}

fn export<T>(
    (tensor, lent): (Tensor, Option<opwright_runtime::Lent>),
    seen: impl FnOnce(View) -> T,
) -> Export<T> {
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
    Export { seen: seen(view), _tensor: tensor, _lent: lent, _shape: shape, _strides: strides }
}

/// Frees an export by the pointer that consumers have.
unsafe extern "C" fn delete<T>(seen: *mut T) {
    // SAFETY: what is seen is the first field of what the capsule kept; whoever took the pointer out
    // gives it back once, by the protocol.
    unsafe { drop(Box::from_raw(seen.cast::<Export<T>>())) }
}
