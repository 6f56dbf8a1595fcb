//! New references on their way to the interpreter.

use std::ptr::{self, NonNull};

use pyo3::ffi::PyObject;
use pyo3::prelude::*;

/// What a call returns to the interpreter: an object with a reference that is the caller's. Nothing
/// gives it back where it is dropped, so that generated functions need no code for that.
#[must_use]
#[repr(transparent)]
pub struct NewReference(NonNull<PyObject>);

impl NewReference {
    /// As PyO3 holds it.
    #[inline(always)]
    pub(crate) fn into_bound(self, py: Python<'_>) -> Bound<'_, PyAny> {
        // SAFETY: `from` took the reference over from a `Bound`, and it is handed on once.
        unsafe { Bound::from_owned_ptr(py, self.0.as_ptr()) }
    }

    /// As the interpreter takes it: null for nothing.
    #[inline(always)]
    pub(crate) fn or_null(this: Option<NewReference>) -> *mut PyObject {
        this.map_or(ptr::null_mut(), |it| it.0.as_ptr())
    }
}

impl<T> From<Bound<'_, T>> for NewReference {
    #[inline(always)]
    fn from(object: Bound<'_, T>) -> NewReference {
        // SAFETY: the pointer of a `Bound` is that of an object.
        NewReference(unsafe { NonNull::new_unchecked(object.into_ptr()) })
    }
}
