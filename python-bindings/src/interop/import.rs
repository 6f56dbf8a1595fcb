//! Buffers in: tensors over memory of other Python objects.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use opwright_runtime::{DType, Error, Tensor};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_buffer};
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::format;
use crate::args::type_name;
use crate::failure::Failure;

/// A view of another object's memory, which keeps the object alive.
pub(crate) struct Buffer(Box<Py_buffer>);

// SAFETY: the view is only read; it is released with the GIL held.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Without an interpreter, the memory is gone as well.
        Python::try_attach(|_| {
            // SAFETY: the view was filled in by `get`, and is released once.
            unsafe { ffi::PyBuffer_Release(&raw mut *self.0) }
        });
    }
}

/// Whether an object's memory can be viewed.
pub(crate) fn is_buffer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a valid object.
    unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
}

impl Buffer {
    /// The memory of `object`.
    ///
    /// # Errors
    ///
    /// What the object raises; `BufferError` if it has none.
    pub(crate) fn get(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
        let mut view = Box::new(MaybeUninit::<Py_buffer>::zeroed());
        // SAFETY: a view to fill in; it stays where it is, since exporters may
        // point into it.
        let status = unsafe {
            ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_FULL_RO)
        };
        if status != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        // SAFETY: filled in without an error.
        let buffer = Buffer(unsafe { view.assume_init() });
        if !buffer.0.suboffsets.is_null() {
            return Err(PyBufferError::new_err("the memory is not in one piece"));
        }
        Ok(buffer)
    }

    /// Whether nobody may write to the memory.
    pub(crate) fn is_read_only(&self) -> bool {
        self.0.readonly != 0
    }

    /// The number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len.max(0) as usize
    }

    /// Whether the elements lie one after the other.
    pub(crate) fn is_contiguous(&self) -> bool {
        // SAFETY: a view that was filled in.
        unsafe { ffi::PyBuffer_IsContiguous(&raw const *self.0, b'C' as _) != 0 }
    }

    /// The first byte.
    pub(crate) fn start(&self) -> *mut u8 {
        self.0.buf.cast()
    }

    /// The dtype, if we have it.
    pub(crate) fn dtype(&self) -> Option<DType> {
        format::read(self.format(), self.0.itemsize.max(0) as usize)
    }

    fn format(&self) -> &CStr {
        if self.0.format.is_null() {
            return c"B";
        }
        // SAFETY: a string that lives as long as the view.
        unsafe { CStr::from_ptr(self.0.format) }
    }

    /// The numbers at `start`, one for each dimension.
    fn dims(&self, start: *const ffi::Py_ssize_t) -> SmallVec<[i64; 6]> {
        if start.is_null() {
            return SmallVec::new();
        }
        // SAFETY: shape and strides have as many numbers as there are dimensions.
        let dims = unsafe { std::slice::from_raw_parts(start, self.0.ndim.max(0) as usize) };
        dims.iter().map(|&it| it as i64).collect()
    }

    /// A tensor over the memory. The caller has looked at
    /// [`is_read_only`](Buffer::is_read_only), or writes to no element.
    ///
    /// # Errors
    ///
    /// `TypeError` for elements that we have no dtype for, `ValueError` for
    /// elements that are not aligned.
    pub(crate) fn tensor(self) -> Result<Tensor, Failure> {
        let dtype = self.dtype().ok_or_else(|| unsupported(&self.format().to_string_lossy()))?;
        let size = dtype.size() as i64;
        let shape = self.dims(self.0.shape);
        let mut strides = self.dims(self.0.strides);
        for (stride, &extent) in strides.iter_mut().zip(&shape) {
            // Nobody steps along a dimension of one element.
            if extent > 1 && *stride % size != 0 {
                return Err(misaligned().into());
            }
            *stride /= size;
        }
        let start = self.start();
        let is_empty = shape.contains(&0);
        let address = if dtype.is_complex_number() { size / 2 } else { size };
        if !is_empty && !start.addr().is_multiple_of(address as usize) {
            return Err(misaligned().into());
        }
        // SAFETY: the exporter vouches for shape and strides, and keeps the
        // memory where it is until the view, which the tensor owns, is released.
        Ok(unsafe { Tensor::from_foreign(start, &shape, &strides, dtype, Box::new(self)) }?)
    }
}

#[cold]
fn misaligned() -> Error {
    Error::value(
        "the elements are not at multiples of their size; copy the array first, with .copy()",
    )
}

/// The exception for elements of a foreign type, with what is supported.
#[cold]
pub(crate) fn unsupported(what: &str) -> Error {
    let names: Vec<&str> =
        DType::ALL.iter().filter(|it| it.buffer_format().is_some()).map(|it| it.name()).collect();
    Error::wrong_type(format_args!(
        "cannot make a tensor of elements of type {what}; the supported types are {}",
        names.join(", ")
    ))
}

/// A one-dimensional tensor over the bytes of an object: `count` elements from
/// byte `offset` on, or all if `count` is negative. Read-only bytes are copied.
///
/// # Errors
///
/// `TypeError` if the object has no buffer, `ValueError` if the bytes are not
/// contiguous, too few or not aligned.
pub(crate) fn bytes_as(
    object: &Bound<'_, PyAny>,
    dtype: DType,
    count: i64,
    offset: i64,
) -> Result<Tensor, Failure> {
    if !is_buffer(object) {
        return Err(Error::wrong_type(format_args!(
            "expected an object with a buffer, not {}",
            type_name(object)
        ))
        .into());
    }
    let buffer = Buffer::get(object)?;
    if !buffer.is_contiguous() {
        return Err(Error::value("the bytes do not lie one after the other").into());
    }
    let count = buffer.elements(dtype, count, offset)?;
    let start = buffer.start().wrapping_offset(offset as isize);
    let is_read_only = buffer.is_read_only();
    // SAFETY: `elements` made sure that there are that many, and the view, which
    // the tensor owns, keeps them where they are.
    let tensor = unsafe { Tensor::from_foreign(start, &[count], &[1], dtype, Box::new(buffer)) }?;
    Ok(if is_read_only { tensor.copy()? } else { tensor })
}

/// A tensor over the memory of an object with a buffer, and false; of read-only
/// memory, over a copy, and true.
///
/// # Errors
///
/// `TypeError` for elements that no dtype is for, `ValueError` for elements
/// that are not aligned, what the object raises.
pub(crate) fn view(object: &Bound<'_, PyAny>) -> Result<(Tensor, bool), Failure> {
    let buffer = Buffer::get(object)?;
    let is_read_only = buffer.is_read_only();
    let tensor = buffer.tensor()?;
    Ok((if is_read_only { tensor.copy()? } else { tensor }, is_read_only))
}

impl Buffer {
    /// How many elements of `dtype` there are from byte `offset` on, at most
    /// `count` unless that is negative.
    fn elements(&self, dtype: DType, count: i64, offset: i64) -> Result<i64, Failure> {
        let (bytes, size) = (self.bytes() as i64, dtype.size() as i64);
        let wrong = |text: String| Err(Error::value(text).into());
        if offset < 0 || offset > bytes {
            return wrong(format!("offset {offset} is not within the {bytes} bytes"));
        }
        let left = bytes - offset;
        if count < 0 {
            return match left % size {
                0 => Ok(left / size),
                _ => wrong(format!("{left} bytes are not a whole number of {dtype} elements")),
            };
        }
        if count > left / size {
            return wrong(format!("{left} bytes are too few for {count} elements of {dtype}"));
        }
        Ok(count)
    }
}
