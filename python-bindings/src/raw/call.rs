//! Vectorcall arguments and keyword names, as the interpreter passes them.

use std::ffi::c_void;
use std::hint;

use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::sequence::{tuple_get, tuple_len};
use super::text::utf8;

// What is passed as pointers is seen as references.
const _: () = assert!(size_of::<Bound<'_, PyAny>>() == size_of::<*mut c_void>());
const _: () = assert!(size_of::<Borrowed<'_, '_, PyAny>>() == size_of::<*mut c_void>());

/// An object that the interpreter lends.
///
/// # Safety
///
/// `object` is an instance of the class that `T` stands for, and somebody else's reference keeps it
/// alive for `'a`.
#[inline(always)]
pub(crate) unsafe fn lent<'a, 'py, T>(
    py: Python<'py>,
    object: *mut PyObject,
) -> Borrowed<'a, 'py, T> {
    // SAFETY: the caller says that it is an object of that class, hence not null.
    unsafe {
        hint::assert_unchecked(!object.is_null());
        Borrowed::from_ptr(py, object).cast_unchecked()
    }
}

/// The arguments of a `METH_FASTCALL | METH_KEYWORDS` function, those of keywords last, and the
/// keywords.
///
/// # Safety
///
/// The interpreter keeps what it passed for `'a`: `count` objects at `args`, behind them as many as
/// there are `names`, which are null or a tuple.
#[inline(always)]
pub(crate) unsafe fn arguments<'a, 'py>(
    py: Python<'py>,
    args: *const *mut PyObject,
    count: Py_ssize_t,
    names: *mut PyObject,
) -> (&'a [Bound<'py, PyAny>], Names<'a, 'py>) {
    // SAFETY: the caller says what is passed; a reference that is counted is a pointer, and those
    // in the slice are only borrowed, so that none is given back.
    unsafe {
        let names = if names.is_null() { Names::NONE } else { Names::new(lent(py, names)) };
        let total = count as usize + names.len;
        let args = if total == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(args.cast::<Bound<'py, PyAny>>(), total)
        };
        (args, names)
    }
}

/// Lent objects, seen as references that are counted: both are pointers.
#[inline(always)]
pub(crate) fn as_bound<'a, 'py>(
    objects: &'a [Borrowed<'a, 'py, PyAny>],
) -> &'a [Bound<'py, PyAny>] {
    // SAFETY: PyO3 declares both types as transparent around a pointer to an object, and those in
    // the slice are only borrowed, so that none is given back; all of them live for `'a`.
    unsafe { std::slice::from_raw_parts(objects.as_ptr().cast(), objects.len()) }
}

/// The keyword names of a call.
#[derive(Clone, Copy)]
pub struct Names<'a, 'py> {
    tuple: Option<Borrowed<'a, 'py, PyTuple>>,
    len: usize,
}

impl<'a, 'py> Names<'a, 'py> {
    /// No keywords.
    pub const NONE: Names<'static, 'static> = Names { tuple: None, len: 0 };

    /// The names in a tuple.
    #[inline]
    pub fn new(tuple: Borrowed<'a, 'py, PyTuple>) -> Names<'a, 'py> {
        Names { tuple: Some(tuple), len: tuple_len(&tuple) }
    }

    /// A keyword's text; empty for one that is not valid Unicode, and where there is none.
    pub fn text(&self, at: usize) -> &'a str {
        self.tuple.and_then(|it| tuple_get(it, at)).and_then(utf8).unwrap_or("")
    }

    /// How many there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.len
    }

    /// Where a name stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        (0..self.len).find(|&at| self.text(at) == name)
    }
}
