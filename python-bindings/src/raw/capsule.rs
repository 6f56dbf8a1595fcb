//! Capsules: pointers of other libraries in Python objects, told apart by names.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use pyo3::ffi;
use pyo3::prelude::*;

/// A capsule around a pointer.
///
/// # Errors
///
/// `MemoryError`.
///
/// # Safety
///
/// `destroy` copes with a capsule around `pointer`, and with one that somebody has taken the
/// pointer from.
pub(crate) unsafe fn capsule<'py>(
    py: Python<'py>,
    pointer: NonNull<c_void>,
    name: &'static CStr,
    destroy: ffi::PyCapsule_Destructor,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the name is never freed; the caller vouches for what is called at the end.
    unsafe {
        let capsule = ffi::PyCapsule_New(pointer.as_ptr(), name.as_ptr(), Some(destroy));
        Bound::from_owned_ptr_or_err(py, capsule)
    }
}

/// What a capsule of this name points to; none of another object.
pub(crate) fn capsule_pointer(
    object: &Bound<'_, PyAny>,
    name: &'static CStr,
) -> Option<NonNull<c_void>> {
    // SAFETY: any object can be asked; a valid capsule has a pointer.
    unsafe {
        if ffi::PyCapsule_IsValid(object.as_ptr(), name.as_ptr()) == 0 {
            return None;
        }
        NonNull::new(ffi::PyCapsule_GetPointer(object.as_ptr(), name.as_ptr()))
    }
}

/// The same, and the capsule has another name from then on: the pointer is the caller's.
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
