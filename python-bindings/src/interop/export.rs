//! Buffer export: others read and write the memory of a tensor.
//!
//! What was handed out stays valid, whatever happens to the Python object: the
//! exported view holds a handle of its own.

use std::ffi::{c_int, c_void};
use std::ptr;

use opwright_runtime::autograd::is_recording;
use opwright_runtime::geometry::is_row_major;
use opwright_runtime::{Error, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_ssize_t};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::object::failure::exception;
use crate::object::trampoline::{NO_NAME, trampoline};
use crate::object::{self, Failure, Object};
use crate::raw::method::Slot;
use crate::raw::{Filled, Lent, Memory, Plain, ToFill, entry};

/// The buffer protocol.
pub(crate) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_bf_getbuffer, function: get as *const c_void },
    Slot { id: ffi::Py_bf_releasebuffer, function: release as *const c_void },
];

entry! {
    fn get(_py, object: Lent<Object>, view: ToFill<'_>, flags: Plain<c_int>) -> c_int {
        trampoline(NO_NAME, -1, || {
            lend(view, object.to_owned().as_any(), object::peek(object), flags)?;
            Ok(0)
        })
    }

    fn release(_py, _object: Lent<Object>, view: Filled) -> () {
        view.release();
    }
}

/// Fills a view of an object in, which is over the memory of a tensor.
///
/// # Errors
///
/// `BufferError` if others cannot have what they ask for, `RuntimeError` if the tensor is recorded.
pub(crate) fn lend(
    view: ToFill<'_>,
    object: &Bound<'_, PyAny>,
    tensor: &Tensor,
    flags: c_int,
) -> Result<(), Failure> {
    let memory = memory(tensor, flags)?;
    // SAFETY: the elements of a tensor lie where its shape and its strides say, and stay there while
    // it is lent.
    unsafe { view.fill(memory, object, flags) };
    Ok(())
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

/// The memory of a tensor, as `flags` ask for it.
fn memory(tensor: &Tensor, flags: c_int) -> Result<Memory, Failure> {
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
    // Where nothing is recorded, nothing that is done to the elements gets lost.
    if is_recording() {
        unrecorded(tensor)?;
    }

    let size = dtype.size() as Py_ssize_t;
    // Elements of an expanded tensor are counted each time, and steps along a dimension of one
    // element are never taken.
    let in_bytes = |count: i64| (count as Py_ssize_t).checked_mul(size).ok_or_else(too_long);
    let bytes = in_bytes(tensor.numel() as i64)?;
    let strides = tensor.strides().iter().map(|&it| in_bytes(it)).collect::<Result<_, _>>()?;
    let lent = tensor.storage().map(|it| it.lend()).transpose()?;
    Ok(Memory {
        start: tensor.data_ptr().cast(),
        item_size: size,
        bytes,
        format,
        shape: tensor.shape().iter().map(|&it| it as Py_ssize_t).collect(),
        strides,
        _kept: Box::new((tensor.clone(), lent)),
    })
}

fn too_long() -> Failure {
    let text = format!("a buffer has {} bytes at most, and the tensor has more", Py_ssize_t::MAX);
    PyBufferError::new_err(text).into()
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

/// The bytes of the elements of a contiguous tensor.
pub(crate) fn bytes_of<'py>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyBytes>> {
    if tensor.numel() == 0 {
        return Ok(PyBytes::new(py, &[]));
    }
    tensor.check_readable().map_err(|it| exception(&it))?;
    let start: *const u8 = tensor.data_ptr();
    let count = tensor.numel() * tensor.dtype().size();
    PyBytes::new_with(py, count, |bytes| {
        debug_assert!(tensor.is_contiguous());
        // SAFETY: as many bytes are in one piece from the first element on, and these are new.
        unsafe { ptr::copy_nonoverlapping(start, bytes.as_mut_ptr(), count) };
        Ok(())
    })
}
