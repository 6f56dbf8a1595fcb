//! The Python object around a tensor: its layout, how it is made and freed.

use std::ffi::c_int;
use std::mem::ManuallyDrop;
use std::ptr;

use opwright_runtime::Tensor;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;

use super::guard::detached;
use super::spare;
use crate::classes;
use crate::failure::Failure;
use crate::types::Size;
use crate::wrap::Wrap;

/// What an instance of the native base class holds.
#[repr(C)]
pub struct Object {
    base: PyObject,
    tensor: ManuallyDrop<Tensor>,
    /// What `shape` returned for this handle, or null.
    shape: *mut PyObject,
    /// The list that the interpreter keeps for weak references.
    pub(super) weak_references: *mut PyObject,
}

/// The tensor of an object that is known to be one.
///
/// # Safety
///
/// `object` is a valid instance of the tensor class, and the GIL is held as
/// long as the result is used: a call that writes may replace the handle.
#[inline(always)]
pub unsafe fn peek<'a>(object: *mut PyObject) -> &'a Tensor {
    // SAFETY: the caller's promise; instances are never seen without a tensor.
    unsafe { &(*object.cast::<Object>()).tensor }
}

/// Whether `object` is a tensor.
///
/// # Safety
///
/// `object` is valid and the GIL is held.
#[inline]
pub unsafe fn is_tensor(object: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        classes::TENSOR.is_exact(object)
            || ffi::PyType_IsSubtype(ffi::Py_TYPE(object), classes::TENSOR_BASE.get()) != 0
    }
}

/// The tensor of `object`, if it is one.
#[inline]
pub fn tensor_of<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a Tensor> {
    // SAFETY: `object` is valid, holds the GIL, and outlives the result.
    unsafe { is_tensor(object.as_ptr()).then(|| peek(object.as_ptr())) }
}

/// Gives `object`, a tensor, another handle, if it is another one: after a call that resized it.
pub fn replace(object: &Bound<'_, PyAny>, tensor: Tensor) {
    settle(&tensor);
    // SAFETY: callers pass tensors only; the GIL is held, so nobody reads the
    // handle, and calls that run without the GIL hold counted handles.
    unsafe {
        if peek(object.as_ptr()).is_same(&tensor) {
            return;
        }
        let this = object.as_ptr().cast::<Object>();
        let shape = ptr::replace(&raw mut (*this).shape, ptr::null_mut());
        let old = ptr::replace(&raw mut (*this).tensor, ManuallyDrop::new(tensor));
        drop(ManuallyDrop::into_inner(old));
        ffi::Py_XDECREF(shape);
    }
}

/// The object that says the shape of a tensor, a new reference: it is made once for each handle.
///
/// # Errors
///
/// `MemoryError`.
///
/// # Safety
///
/// `object` is a valid tensor, and the GIL is held.
#[inline]
pub(super) unsafe fn shape(
    py: Python<'_>,
    object: *mut PyObject,
) -> Result<*mut PyObject, Failure> {
    // SAFETY: by the caller's promise the object begins with an `Object`.
    unsafe {
        let this = object.cast::<Object>();
        if (*this).shape.is_null() {
            return make_shape(py, object);
        }
        ffi::Py_INCREF((*this).shape);
        Ok((*this).shape)
    }
}

#[cold]
unsafe fn make_shape(py: Python<'_>, object: *mut PyObject) -> Result<*mut PyObject, Failure> {
    // SAFETY: as in `shape`. Making the object may run code of Python, which may ask for the shape
    // as well or replace the handle: then the new one is not kept.
    unsafe {
        let this = object.cast::<Object>();
        let handle = (*this).tensor.clone();
        let made = Size::of(&handle).wrap(py)?;
        if (*this).shape.is_null() && (*this).tensor.is_same(&handle) {
            ffi::Py_INCREF(made);
            (*this).shape = made;
        }
        Ok(made)
    }
}

/// Whether a tensor is held by the caller alone, and by no weak reference.
///
/// # Safety
///
/// `object` is a valid tensor, and the GIL is held.
#[inline]
pub(super) unsafe fn is_let_go(object: *mut PyObject) -> bool {
    // SAFETY: by the caller's promise the object begins with an `Object`.
    unsafe {
        ffi::Py_REFCNT(object) == 1
            && (*object.cast::<Object>()).weak_references.is_null()
            && classes::TENSOR.is_exact(object)
    }
}

/// Makes a tensor that was let go another element of a line, if it is one.
///
/// # Safety
///
/// As for [`is_let_go`], which says that it was.
#[inline]
pub(super) unsafe fn move_within(object: *mut PyObject, line: &Tensor, index: i64) -> bool {
    // SAFETY: nobody else has the object, so nobody reads its handle.
    unsafe { (*object.cast::<Object>()).tensor.move_within(line, index) }
}

/// A new object of the class that operators return; null with an exception set on failure.
#[inline]
pub fn new(tensor: Tensor) -> *mut PyObject {
    // SAFETY: the class is set before any tensor is made, and callers hold the GIL.
    unsafe { new_of(classes::TENSOR.get(), tensor) }
}

/// A new object of `class`; null with an exception set on failure.
///
/// # Safety
///
/// `class` is the native base class or derived from it, and the GIL is held.
#[inline(always)]
pub unsafe fn new_of(class: *mut PyTypeObject, tensor: Tensor) -> *mut PyObject {
    settle(&tensor);
    // SAFETY: by the caller's promise instances of `class` begin with an `Object`.
    unsafe {
        let mut object = spare::take(class);
        if object.is_null() {
            object = ffi::PyType_GenericAlloc(class, 0);
        }
        if !object.is_null() {
            let this = object.cast::<Object>();
            ptr::write(&raw mut (*this).tensor, ManuallyDrop::new(tensor));
            ptr::write(&raw mut (*this).shape, ptr::null_mut());
        }
        object
    }
}

/// Sees to it that a tensor which other threads may come upon from here on has been written.
#[inline(always)]
fn settle(tensor: &Tensor) {
    if !tensor.is_settled() {
        fill(tensor);
    }
}

#[cold]
fn fill(tensor: &Tensor) {
    // SAFETY: whoever makes objects holds the GIL.
    let py = unsafe { Python::assume_attached() };
    detached(py, tensor.numel(), || tensor.settle());
}

/// A new object as PyO3 holds it.
///
/// # Errors
///
/// `MemoryError`.
pub fn wrap(py: Python<'_>, tensor: Tensor) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, new(tensor)) }
}

/// A tensor as an argument of functions that are written with PyO3.
pub struct PyTensor(pub Tensor);

impl<'a, 'py> FromPyObject<'a, 'py> for PyTensor {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<PyTensor> {
        let tensor = tensor_of(&object).cloned();
        tensor.map(PyTensor).ok_or_else(|| {
            PyTypeError::new_err(format!(
                "expected a Tensor, not {}",
                crate::args::type_name(&object)
            ))
        })
    }
}

/// Frees an instance.
pub(super) unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: called by the interpreter, once, on an instance that nobody holds.
    unsafe {
        let this = object.cast::<Object>();
        if !(*this).weak_references.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        ManuallyDrop::drop(&mut (*this).tensor);
        ffi::Py_XDECREF((*this).shape);
        let class = ffi::Py_TYPE(object);
        if !spare::keep(object) {
            let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
            let free: ffi::freefunc = std::mem::transmute(free);
            free(object.cast());
        }
        ffi::Py_DECREF(class.cast());
    }
}

/// Where instances keep their weak references, for the type's members.
pub(super) const WEAK_OFFSET: usize = std::mem::offset_of!(Object, weak_references);

/// How large an instance is.
pub(super) const SIZE: c_int = size_of::<Object>() as c_int;
