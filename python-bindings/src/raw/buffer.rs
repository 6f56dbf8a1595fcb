//! Buffers: views of the memory of other objects, and of ours for them.

use std::any::Any;
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{self, Py_buffer, Py_ssize_t};
use pyo3::prelude::*;

use super::entry::Passed;

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

/// A view that another object wants to be filled in.
pub(crate) struct ToFill<'a>(&'a mut Py_buffer);

/// What a view is of.
pub(crate) struct Memory {
    /// The first element.
    pub(crate) start: *mut c_void,
    /// How many bytes an element has.
    pub(crate) item_size: Py_ssize_t,
    /// How many bytes all elements have together.
    pub(crate) bytes: Py_ssize_t,
    /// What the elements are, in the words of the protocol.
    pub(crate) format: &'static CStr,
    /// How many elements there are in each dimension.
    pub(crate) shape: Vec<Py_ssize_t>,
    /// How many bytes there are from one element to the next in each dimension.
    pub(crate) strides: Vec<Py_ssize_t>,
    /// What keeps the memory.
    pub(crate) _kept: Box<dyn Any>,
}

impl<'a> ToFill<'a> {
    /// The view at a pointer that the interpreter passes to the slot, with nothing in it.
    ///
    /// # Safety
    ///
    /// For `'a` there is a view that nobody else uses.
    pub(crate) unsafe fn new(view: *mut Py_buffer) -> ToFill<'a> {
        // SAFETY: the caller says that there is one.
        let view = unsafe { &mut *view };
        view.obj = ptr::null_mut();
        ToFill(view)
    }

    /// Fills it in as far as `flags` ask for it; `owner` is told when it is given back.
    ///
    /// # Safety
    ///
    /// As long as what is kept lives, there are elements of the format where shape and strides say.
    pub(crate) unsafe fn fill(self, memory: Memory, owner: &Bound<'_, PyAny>, flags: c_int) {
        let asks = |what: c_int| flags & what == what;
        let pointer = |asked: bool, it: &[Py_ssize_t]| match asked {
            true => it.as_ptr().cast_mut(),
            false => ptr::null_mut(),
        };
        let view = self.0;
        view.buf = memory.start;
        view.len = memory.bytes;
        view.itemsize = memory.item_size;
        view.readonly = 0;
        view.ndim = memory.shape.len() as c_int;
        view.format = match asks(ffi::PyBUF_FORMAT) {
            true => memory.format.as_ptr().cast_mut(),
            false => ptr::null_mut(),
        };
        view.shape = pointer(asks(ffi::PyBUF_ND), &memory.shape);
        view.strides = pointer(asks(ffi::PyBUF_STRIDES), &memory.strides);
        view.suboffsets = ptr::null_mut();
        view.internal = Box::into_raw(Box::new(memory)).cast();
        view.obj = owner.clone().into_ptr();
    }
}

impl Passed for ToFill<'_> {
    type Raw = *mut Py_buffer;
    type Argument<'a, 'py> = ToFill<'a>;

    unsafe fn argument<'a, 'py>(_: Python<'py>, raw: *mut Py_buffer) -> ToFill<'a> {
        // SAFETY: the interpreter passes a view to fill in, of which nobody else knows yet.
        unsafe { ToFill::new(raw) }
    }
}

/// A view that was filled in and is given back.
pub(crate) struct Filled(Box<Memory>);

impl Filled {
    /// What [`ToFill::fill`] left in a view.
    ///
    /// # Safety
    ///
    /// That filled the view in, and it is given back once.
    pub(crate) unsafe fn new(view: *mut Py_buffer) -> Filled {
        // SAFETY: the caller says that `fill` has put a box there.
        Filled(unsafe { Box::from_raw((*view).internal.cast()) })
    }

    /// Lets go of what the view kept.
    pub(crate) fn release(self) {
        drop(self.0);
    }
}

impl Passed for Filled {
    type Raw = *mut Py_buffer;
    type Argument<'a, 'py> = Filled;

    unsafe fn argument<'a, 'py>(_: Python<'py>, raw: *mut Py_buffer) -> Self::Argument<'a, 'py> {
        // SAFETY: the interpreter passes each view once that the class has filled in.
        unsafe { Filled::new(raw) }
    }
}
