//! Buffers out: others read and write the memory of a tensor.
//!
//! What was handed out stays valid, whatever happens to the Python object: the
//! exported view holds a handle of its own.

use std::ffi::{c_int, c_void};
use std::ptr;

use opwright_runtime::geometry::is_row_major;
use opwright_runtime::{Error, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_buffer, Py_ssize_t};
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::raw::{Lent, Plain, entry};
use crate::tables::Slot;
use crate::tensor::guard::guard;
use crate::tensor::object::{self, Object};

/// The buffer protocol.
pub(crate) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_bf_getbuffer, function: get as *const c_void },
    Slot { id: ffi::Py_bf_releasebuffer, function: release as *const c_void },
];

/// What an exported view points to.
struct Export {
    _tensor: Tensor,
    /// So that it stays where it is.
    _lent: Option<opwright_runtime::Lent>,
    shape: Vec<Py_ssize_t>,
    /// In bytes.
    strides: Vec<Py_ssize_t>,
}

entry! {
    fn get(_py, object: Lent<Object>, view: Plain<*mut Py_buffer>, flags: Plain<c_int>) -> c_int {
        guard("getbuffer", -1, || {
            // SAFETY: the interpreter passes a view to fill in, of which nobody else knows yet.
            unsafe { lend(view, object.to_owned().as_any(), object::peek(object), flags) }?;
            Ok(0)
        })
    }

    fn release(_py, _object: Lent<Object>, view: Plain<*mut Py_buffer>) -> () {
        // SAFETY: the interpreter passes each view once that `lend` filled in.
        unsafe { take_back(view) }
    }
}

/// Fills a view of an object in, which is over the memory of a tensor.
///
/// # Errors
///
/// `BufferError` if others cannot have what they ask for, `RuntimeError` if the tensor is recorded.
///
/// # Safety
///
/// There is a view at the pointer, and nobody else knows of it.
pub(crate) unsafe fn lend(
    view: *mut Py_buffer,
    object: &Bound<'_, PyAny>,
    tensor: &Tensor,
    flags: c_int,
) -> Result<(), Failure> {
    // SAFETY: the caller's view.
    let view = unsafe { &mut *view };
    view.obj = ptr::null_mut();
    fill(view, tensor, flags)?;
    view.obj = object.clone().into_ptr();
    Ok(())
}

/// Gives back what a view has.
///
/// # Safety
///
/// [`lend`] filled the view in, and it is given back once.
pub(crate) unsafe fn take_back(view: *mut Py_buffer) {
    // SAFETY: `fill` gave it an export.
    unsafe { drop(Box::from_raw((*view).internal.cast::<Export>())) }
}

/// Refuses to lend the memory of a tensor that is recorded: what others do with it would not be.
///
/// # Errors
///
/// `RuntimeError`.
pub(crate) fn unrecorded(tensor: &Tensor) -> Result<(), Failure> {
    if tensor.requires_grad() {
        let text = "others cannot use the memory of a tensor that requires grad, since nothing of \
                    what they do is recorded; call detach() before";
        return Err(Error::runtime(text).into());
    }
    Ok(())
}

/// Fills a view in as far as `flags` ask for it.
fn fill(view: &mut Py_buffer, tensor: &Tensor, flags: c_int) -> Result<(), Failure> {
    let asks = |what: c_int| flags & what == what;
    let dtype = tensor.dtype();
    let Some(format) = dtype.buffer_format() else {
        return Err(PyBufferError::new_err(format!(
            "buffers cannot have elements of {dtype}; convert the tensor first, for instance with \
             .float()"
        ))
        .into());
    };
    if tensor.device().is_meta() {
        return Err(PyBufferError::new_err("a meta tensor has no memory to share").into());
    }
    check_order(tensor, flags)?;
    unrecorded(tensor)?;

    let size = dtype.size() as Py_ssize_t;
    let export = Box::new(Export {
        _tensor: tensor.clone(),
        _lent: tensor.storage().map(|it| it.lend()).transpose()?,
        shape: tensor.shape().iter().map(|&it| it as Py_ssize_t).collect(),
        strides: tensor.strides().iter().map(|&it| it as Py_ssize_t * size).collect(),
    });
    view.buf = tensor.data_ptr().cast();
    view.len = tensor.numel() as Py_ssize_t * size;
    view.itemsize = size;
    view.readonly = 0;
    view.ndim = tensor.ndim() as c_int;
    view.format = ptr::null_mut();
    view.shape = ptr::null_mut();
    view.strides = ptr::null_mut();
    view.suboffsets = ptr::null_mut();
    if asks(ffi::PyBUF_FORMAT) {
        view.format = format.as_ptr().cast_mut();
    }
    if asks(ffi::PyBUF_ND) {
        view.shape = export.shape.as_ptr().cast_mut();
    }
    if asks(ffi::PyBUF_STRIDES) {
        view.strides = export.strides.as_ptr().cast_mut();
    }
    view.internal = Box::into_raw(export).cast::<c_void>();
    Ok(())
}

/// Fails if the consumer cannot cope with the order of the elements.
fn check_order(tensor: &Tensor, flags: c_int) -> Result<(), Failure> {
    let asks = |what: c_int| flags & what == what;
    let reversed = || {
        let reverse = |it: &[i64]| it.iter().rev().copied().collect::<Vec<_>>();
        is_row_major(&reverse(tensor.shape()), &reverse(tensor.strides()))
    };
    let wanted = if asks(ffi::PyBUF_ANY_CONTIGUOUS) {
        (!tensor.is_contiguous() && !reversed()).then_some("contiguous")
    } else if asks(ffi::PyBUF_F_CONTIGUOUS) {
        (!reversed()).then_some("contiguous in column-major order")
    } else if asks(ffi::PyBUF_C_CONTIGUOUS) || !asks(ffi::PyBUF_STRIDES) {
        (!tensor.is_contiguous()).then_some("contiguous")
    } else {
        None
    };
    match wanted {
        None => Ok(()),
        Some(order) => Err(PyBufferError::new_err(format!(
            "the tensor is not {order}; use .contiguous() first"
        ))
        .into()),
    }
}
