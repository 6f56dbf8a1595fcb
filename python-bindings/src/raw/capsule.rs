//! Capsules: pointers of other libraries in Python objects, told apart by names.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

/// What a capsule keeps, until somebody takes it out by giving the capsule another name.
pub(crate) trait Named: 'static {
    /// The name of capsules that nobody has taken it from.
    const NAME: &'static CStr;
}

/// A capsule that keeps a value.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn capsule_of<T: Named>(py: Python<'_>, kept: T) -> PyResult<Bound<'_, PyAny>> {
    let kept = Box::into_raw(Box::new(kept));
    // SAFETY: the name is never freed; `destroy` gives back what this leaks, if that is still there.
    unsafe {
        let capsule = ffi::PyCapsule_New(kept.cast(), T::NAME.as_ptr(), Some(destroy::<T>));
        if capsule.is_null() {
            drop(Box::from_raw(kept));
        }
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

/// Frees what a capsule has at the end of its life; one that was taken has another name.
unsafe extern "C" fn destroy<T: Named>(capsule: *mut PyObject) {
    // SAFETY: the interpreter passes a capsule that `capsule_of` made for this type, once.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, T::NAME.as_ptr()) != 0 {
            drop(Box::from_raw(ffi::PyCapsule_GetPointer(capsule, T::NAME.as_ptr()).cast::<T>()));
        }
    }
}

/// What a capsule of this name points to; none of another object.
fn capsule_pointer(object: &Bound<'_, PyAny>, name: &'static CStr) -> Option<NonNull<c_void>> {
    // SAFETY: any object can be asked; a valid capsule has a pointer.
    unsafe {
        if ffi::PyCapsule_IsValid(object.as_ptr(), name.as_ptr()) == 0 {
            return None;
        }
        NonNull::new(ffi::PyCapsule_GetPointer(object.as_ptr(), name.as_ptr()))
    }
}

/// What a capsule of this name points to, which has another name from then on: the pointer is the
/// caller's.
pub(crate) fn take_capsule(
    object: &Bound<'_, PyAny>,
    name: &'static CStr,
    used: &'static CStr,
) -> Option<NonNull<c_void>> {
    let pointer = capsule_pointer(object, name)?;
    // SAFETY: it is a capsule, since it has that pointer, and the name is never freed.
    unsafe { ffi::PyCapsule_SetName(object.as_ptr(), used.as_ptr()) };
    Some(pointer)
}
