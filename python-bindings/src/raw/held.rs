//! Objects that nobody but the attributes of another one holds.

use std::ptr;

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// Shows what only the attributes of `object` hold, directly or in lists, tuples and dictionaries
/// that nobody else holds either. The garbage collector may ask while it traverses: nothing is made
/// or freed but, if the object had no attributes yet, the dictionary for them.
pub(crate) fn held_alone(object: &Py<PyAny>, see: &mut dyn FnMut(Borrowed<'_, '_, PyAny>)) {
    // SAFETY: whoever has a class traversed holds the GIL, and so does other code of this crate that
    // has references at hand; no code of Python runs here. The dictionary is a counted reference,
    // and what it holds stays until that is given back.
    unsafe {
        let py = Python::assume_attached();
        let attributes = ffi::PyObject_GenericGetDict(object.as_ptr(), ptr::null_mut());
        if attributes.is_null() {
            ffi::PyErr_Clear();
            return;
        }
        // The object's own reference, and this one.
        let mut containers = Vec::new();
        if ffi::Py_REFCNT(attributes) == 2 {
            containers.push(attributes);
        }
        while let Some(container) = containers.pop() {
            each(py, container, &mut |item| {
                if ffi::Py_REFCNT(item) == 1 {
                    let held = Borrowed::from_ptr(py, item);
                    if is_container(&held) { containers.push(item) } else { see(held) }
                }
            });
        }
        ffi::Py_DECREF(attributes);
    }
}

/// The object at an address, unless nobody holds it any more: then it is about to be freed.
///
/// # Safety
///
/// `object` is null, or the memory of an object that has not been freed.
pub(crate) unsafe fn living(py: Python<'_>, object: *mut PyObject) -> Option<Bound<'_, PyAny>> {
    // SAFETY: the count of an object is read, which the caller says is there.
    unsafe {
        if object.is_null() || ffi::Py_REFCNT(object) == 0 {
            return None;
        }
        Some(Bound::from_borrowed_ptr(py, object))
    }
}

/// How many references to an object there are, with this one.
pub(crate) fn references(object: &Bound<'_, PyAny>) -> isize {
    // SAFETY: an object that is held is asked.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) }
}

fn is_container(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyList>()
        || object.is_exact_instance_of::<PyDict>()
}

/// Shows what a container holds.
///
/// # Safety
///
/// It is a tuple, a list or a dictionary, which stays as it is meanwhile.
unsafe fn each(_: Python<'_>, container: *mut PyObject, see: &mut dyn FnMut(*mut PyObject)) {
    // SAFETY: the caller says what it is, and that indices and positions stay valid.
    unsafe {
        if ffi::PyTuple_Check(container) != 0 {
            (0..ffi::PyTuple_Size(container))
                .for_each(|at| see(ffi::PyTuple_GetItem(container, at)));
        } else if ffi::PyList_Check(container) != 0 {
            (0..ffi::PyList_Size(container)).for_each(|at| see(ffi::PyList_GetItem(container, at)));
        } else {
            let (mut at, mut key, mut value) = (0, ptr::null_mut(), ptr::null_mut());
            while ffi::PyDict_Next(container, &raw mut at, &raw mut key, &raw mut value) != 0 {
                see(value);
            }
        }
    }
}
