//! The garbage collector: which objects it looks at, and what it is told of them.

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Has the collector look at an object, if instances of its class can be looked at.
pub(crate) fn track(object: Borrowed<'_, '_, PyAny>) {
    let object = object.as_ptr();
    // SAFETY: with the GIL held, an object that lives; those of other classes are not tracked, and
    // none twice.
    unsafe {
        let flags = ffi::PyType_GetFlags(ffi::Py_TYPE(object));
        if flags & ffi::Py_TPFLAGS_HAVE_GC != 0 && ffi::PyObject_GC_IsTracked(object) == 0 {
            ffi::PyObject_GC_Track(object.cast());
        }
    }
}

/// Whether it looks at an object.
pub(crate) fn is_tracked(object: Borrowed<'_, '_, PyAny>) -> bool {
    // SAFETY: an object that lives; one of a class without the flag is not tracked.
    unsafe { ffi::PyObject_GC_IsTracked(object.as_ptr()) != 0 }
}

/// Has it look at an object no longer; nothing happens if it does not.
///
/// # Safety
///
/// The object is of a class with `Py_TPFLAGS_HAVE_GC`, and the GIL is held.
#[inline]
pub(crate) unsafe fn untrack(object: *mut PyObject) {
    // SAFETY: the caller's promise.
    unsafe { ffi::PyObject_GC_UnTrack(object.cast()) };
}

/// Frees memory that was allocated for an object of a class with `Py_TPFLAGS_HAVE_GC`.
///
/// # Safety
///
/// Nobody uses the object any more, which is not tracked, and the GIL is held.
pub(crate) unsafe fn free_untracked(object: *mut PyObject) {
    // SAFETY: the caller's promise.
    unsafe { ffi::PyObject_GC_Del(object.cast()) };
}

/// Whether instances of a class are freed by this function, and not by one that the interpreter puts
/// before it, as it does for a class statement.
pub(crate) fn is_freed_by(
    class: &Bound<'_, PyType>,
    dealloc: unsafe extern "C" fn(*mut PyObject),
) -> bool {
    // SAFETY: a class, as its type says; each has such a slot.
    let slot = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_dealloc) };
    slot.addr() == (dealloc as *const c_void).addr()
}

/// What the collector passes to a class that tells it what its instances keep.
pub(crate) struct Visitor {
    visit: ffi::visitproc,
    arg: *mut c_void,
    result: c_int,
}

impl Visitor {
    /// With what the slot `tp_traverse` is called with.
    pub(crate) fn new(visit: ffi::visitproc, arg: *mut c_void) -> Visitor {
        Visitor { visit, arg, result: 0 }
    }

    /// Tells of the class of an instance, to which each has a reference.
    pub(crate) fn class_of<T>(&mut self, instance: Borrowed<'_, '_, T>) {
        // SAFETY: an object that lives, and so does its class.
        unsafe {
            let class: *mut PyTypeObject = ffi::Py_TYPE(instance.as_ptr());
            self.see(class.cast());
        }
    }

    /// Tells of the attributes of an instance of a class that has them in a dictionary.
    #[cfg(feature = "jit")]
    pub(crate) fn attributes_of<T>(&mut self, instance: Borrowed<'_, '_, T>) {
        // SAFETY: an object that lives; what comes back is counted, or null with an exception. It is
        // the instance's own as well, so that it lives on.
        unsafe {
            let attributes = ffi::PyObject_GenericGetDict(instance.as_ptr(), std::ptr::null_mut());
            if attributes.is_null() {
                return ffi::PyErr_Clear();
            }
            ffi::Py_DECREF(attributes);
            self.see(attributes);
        }
    }

    /// Tells of an object.
    ///
    /// # Safety
    ///
    /// The object lives, or the pointer is null, and the instance that is asked has a reference to it
    /// which it has not told of yet.
    pub(crate) unsafe fn see(&mut self, object: *mut PyObject) {
        if self.result == 0 && !object.is_null() {
            // SAFETY: the interpreter passed the function with its argument, for objects that live.
            self.result = unsafe { (self.visit)(object, self.arg) };
        }
    }

    /// What `tp_traverse` returns.
    pub(crate) fn result(&self) -> c_int {
        self.result
    }
}

/// A reference to an object as PyO3 lends it, for what only asks for its address.
///
/// # Safety
///
/// The object lives.
pub(crate) unsafe fn as_reference(object: &NonNull<PyObject>) -> &Py<PyAny> {
    // SAFETY: `Py` is a transparent wrapper of such a pointer, and is only lent, so that no reference
    // is given back.
    unsafe { &*std::ptr::from_ref(object).cast() }
}
