//! Buffers: views of the memory of other objects.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_buffer, Py_ssize_t};
use pyo3::prelude::*;

/// A view of another object's memory, which keeps the object alive.
pub(crate) struct Buffer(Box<Py_buffer>);

// SAFETY: the fields are only read; the view is released by a thread that holds the GIL.
unsafe impl Send for Buffer {}
// SAFETY: nothing changes the fields until the view is dropped.
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
    // SAFETY: any object can be asked.
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

    /// The number of bytes of an element.
    pub(crate) fn item_size(&self) -> usize {
        self.0.itemsize.max(0) as usize
    }

    /// Whether the elements lie one after the other.
    pub(crate) fn is_contiguous(&self) -> bool {
        // SAFETY: a view that `get` filled in, and that is not released yet.
        unsafe { ffi::PyBuffer_IsContiguous(&raw const *self.0, b'C' as _) != 0 }
    }

    /// The first byte.
    pub(crate) fn start(&self) -> *mut u8 {
        self.0.buf.cast()
    }

    /// What the elements are, in the words of the protocol.
    pub(crate) fn format(&self) -> &CStr {
        if self.0.format.is_null() {
            return c"B";
        }
        // SAFETY: by the protocol a text that lives as long as the view.
        unsafe { CStr::from_ptr(self.0.format) }
    }

    /// How many elements there are in each dimension.
    pub(crate) fn shape(&self) -> &[Py_ssize_t] {
        self.dims(self.0.shape)
    }

    /// How many bytes there are from one element to the next in each dimension.
    pub(crate) fn strides(&self) -> &[Py_ssize_t] {
        self.dims(self.0.strides)
    }

    /// The numbers at `start`, one for each dimension.
    fn dims(&self, start: *const Py_ssize_t) -> &[Py_ssize_t] {
        if start.is_null() {
            return &[];
        }
        // SAFETY: by the protocol the shape and the strides have as many numbers as there are
        // dimensions, and live as long as the view.
        unsafe { std::slice::from_raw_parts(start, self.0.ndim.max(0) as usize) }
    }
}
