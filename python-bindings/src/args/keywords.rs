//! The keyword names of a call: a tuple of strings.

use std::ptr;

use opwright_runtime::resolve::{Keywords, Param};
use pyo3::ffi::{self, PyObject};

/// The `kwnames` of a vectorcall: null, or a tuple.
#[derive(Clone, Copy)]
pub struct Names {
    tuple: *mut PyObject,
    len: usize,
}

impl Names {
    /// No keywords.
    pub const NONE: Names = Names { tuple: ptr::null_mut(), len: 0 };

    /// Looks at `tuple`.
    ///
    /// # Safety
    ///
    /// `tuple` is null or a valid tuple of strings that outlives the value.
    #[inline]
    pub unsafe fn new(tuple: *mut PyObject) -> Names {
        let len = if tuple.is_null() {
            0
        } else {
            // SAFETY: a valid tuple by the caller's promise.
            unsafe { ffi::PyTuple_Size(tuple) as usize }
        };
        Names { tuple, len }
    }

    /// A keyword's text; empty for one that is not valid Unicode.
    pub fn text(&self, at: usize) -> &str {
        // SAFETY: `at < len`, and the interpreter hands over strings only; the
        // text lives as long as the string, which the tuple keeps alive.
        unsafe {
            let name = ffi::PyTuple_GetItem(self.tuple, at as ffi::Py_ssize_t);
            let mut size = 0;
            let text = ffi::PyUnicode_AsUTF8AndSize(name, &raw mut size);
            if text.is_null() {
                ffi::PyErr_Clear();
                return "";
            }
            let bytes = std::slice::from_raw_parts(text.cast::<u8>(), size as usize);
            std::str::from_utf8_unchecked(bytes)
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        (0..self.len).find(|&at| self.text(at) == name)
    }
}

impl Keywords for Names {
    #[inline]
    fn len(&self) -> usize {
        self.len
    }

    fn find(&self, param: &Param) -> Option<usize> {
        self.position(param.name)
            .or_else(|| param.aliases.iter().find_map(|alias| self.position(alias)))
    }
}
