//! Allocation and deallocation of the Python object around a tensor.

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

use opwright_runtime::Tensor;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::convert::Convert;
use super::failure::Failure;
use super::gil::detached;
use super::size::Size;
use super::tensor::{Object, peek};
use super::{callbacks, classes, deferred};
use crate::raw::{self, Lent, New, Optional, Plain, entry, free_list};

/// Gives an object another handle, if it is another one: after a call that resized the tensor.
///
/// # Safety
///
/// Nobody uses any more what [`peek`] and [`tensor_of`] lent of it.
pub(crate) unsafe fn replace(object: Borrowed<'_, '_, Object>, tensor: Tensor) {
    settle(object.py(), &tensor);
    if peek(object).is_same(&tensor) {
        return;
    }
    // SAFETY: the type says that it begins with an `Object`. The GIL is held, so that no thread
    // reads the handle; the caller says that nobody borrows it; a shape is a counted reference.
    unsafe {
        let this = object.as_ptr().cast::<Object>();
        let shape = ptr::replace(&raw mut (*this).shape, ptr::null_mut());
        let old = ptr::replace(&raw mut (*this).tensor, ManuallyDrop::new(tensor));
        old.clear_host(object.as_ptr().cast());
        callbacks::retire(ManuallyDrop::into_inner(old));
        ffi::Py_XDECREF(shape);
    }
    let tensor = peek(object);
    if tensor.is_known() {
        stand(object);
    }
    tensor.lend_host(object.as_ptr().cast());
}

/// The object that says the shape of a tensor: it is made once for each handle.
///
/// # Errors
///
/// `MemoryError`.
#[inline]
pub(crate) fn shape<'py>(object: Borrowed<'_, 'py, Object>) -> Result<Bound<'py, PyAny>, Failure> {
    // SAFETY: the type says that it begins with an `Object`; a shape is a counted reference.
    unsafe {
        let shape = (*object.as_ptr().cast::<Object>()).shape;
        match Bound::from_borrowed_ptr_or_opt(object.py(), shape) {
            Some(shape) => Ok(shape),
            None => make_shape(object),
        }
    }
}

#[cold]
fn make_shape<'py>(object: Borrowed<'_, 'py, Object>) -> Result<Bound<'py, PyAny>, Failure> {
    let handle = peek(object).clone();
    let made = Size::of(&handle).object(object.py())?;
    // SAFETY: as in `shape`. Making the object may run code of Python, which may ask for the shape
    // as well or replace the handle: then the new one is not kept.
    unsafe {
        let this = object.as_ptr().cast::<Object>();
        if (*this).shape.is_null() && (*this).tensor.is_same(&handle) {
            (*this).shape = made.clone().into_ptr();
        }
    }
    Ok(made)
}

/// The object of a tensor that has one, or a new one of the class that operators return; nothing, with
/// an exception set, on failure.
#[inline]
pub(crate) fn new(py: Python<'_>, tensor: Tensor) -> Option<Bound<'_, PyAny>> {
    if tensor.may_have_host()
        && let Some(object) = of_host(py, &tensor)
    {
        return Some(object);
    }
    new_of(py, OfTensors::most(), tensor)
}

/// The object that stands for a tensor.
fn of_host<'py>(py: Python<'py>, tensor: &Tensor) -> Option<Bound<'py, PyAny>> {
    let host = tensor.host().cast::<PyObject>();
    // SAFETY: with the GIL held, a host is an object whose memory is there: `dealloc` clears it
    // first. One that is just being freed, while code of Python runs, has no references.
    unsafe {
        if host.is_null() || ffi::Py_REFCNT(host) == 0 {
            return None;
        }
        Some(Bound::from_borrowed_ptr(py, host))
    }
}

/// A class of tensors: the native base class, or one that is derived from it.
#[derive(Clone, Copy)]
struct OfTensors(*mut PyTypeObject);

impl OfTensors {
    /// That of what operators return, which is set before any tensor is made, by who looks whether it
    /// is derived.
    #[inline]
    fn most() -> OfTensors {
        OfTensors(classes::TENSOR.get())
    }

    fn checked(class: &Bound<'_, PyType>) -> PyResult<OfTensors> {
        if classes::TENSOR_BASE.is_base_of(class) {
            return Ok(OfTensors(class.as_type_ptr()));
        }
        Err(PyTypeError::new_err("expected a class of tensors"))
    }
}

/// A new object of a class; nothing, with an exception set, on failure.
#[inline(always)]
fn new_of(py: Python<'_>, OfTensors(class): OfTensors, tensor: Tensor) -> Option<Bound<'_, PyAny>> {
    settle(py, &tensor);
    // SAFETY: instances of such a class begin with an `Object`, whose tensor and shape nobody has
    // set yet; what is kept was one of this class.
    unsafe {
        let mut object = free_list::take(class);
        if object.is_null() {
            object = ffi::PyType_GenericAlloc(class, 0);
            // Those of the class statement's classes may be part of a cycle at once, as they have
            // attributes; others when they get a hook.
            if !object.is_null() && is_plain(class) {
                raw::untrack(object);
            }
        }
        if !object.is_null() {
            let this = object.cast::<Object>();
            ptr::write(&raw mut (*this).tensor, ManuallyDrop::new(tensor));
            ptr::write(&raw mut (*this).shape, ptr::null_mut());
            (*this).tensor.lend_host(object.cast());
        }
        Bound::from_owned_ptr_or_opt(py, object)
    }
}

/// Whether a class is the one of most tensors, or the native one.
#[inline]
fn is_plain(class: *mut PyTypeObject) -> bool {
    class == classes::TENSOR.get() || class == classes::TENSOR_BASE.get()
}

/// Has the garbage collector look at an object from now on, because its tensor keeps objects.
pub(crate) fn track(object: Borrowed<'_, '_, Object>) {
    raw::track(object.as_any().as_borrowed());
}

/// A new object of a class of tensors.
///
/// # Errors
///
/// `TypeError` for another class, `MemoryError`.
pub(crate) fn of_class<'py>(
    class: &Bound<'py, PyType>,
    tensor: Tensor,
) -> PyResult<Bound<'py, PyAny>> {
    let made = new_of(class.py(), OfTensors::checked(class)?, tensor);
    made.ok_or_else(|| PyErr::fetch(class.py()))
}

/// Sees to it that a tensor which other threads may come upon from here on has been written.
#[inline(always)]
fn settle(py: Python<'_>, tensor: &Tensor) {
    if !tensor.is_settled() {
        fill(py, tensor);
    }
}

#[cold]
fn fill(py: Python<'_>, tensor: &Tensor) {
    detached(py, tensor.numel(), || tensor.settle());
}

/// The object that stands for a tensor, and that stays the same as long as somebody holds it.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn same(py: Python<'_>, tensor: Tensor) -> PyResult<Bound<'_, PyAny>> {
    if let Some(object) = of_host(py, &tensor) {
        return Ok(object);
    }
    let handle = tensor.clone();
    let object = wrap(py, tensor)?;
    handle.set_host(object.as_ptr().cast());
    Ok(object)
}

/// Lets an object stand for its tensor, if no other one does.
pub(crate) fn stand(object: Borrowed<'_, '_, Object>) {
    let (tensor, host) = (peek(object), object.as_ptr().cast());
    if tensor.host().is_null() || tensor.host() == host {
        tensor.set_host(host);
    }
}

/// A new object as PyO3 holds it.
///
/// # Errors
///
/// `MemoryError`.
pub fn wrap(py: Python<'_>, tensor: Tensor) -> PyResult<Bound<'_, PyAny>> {
    new(py, tensor).ok_or_else(|| PyErr::fetch(py))
}

entry! {
    /// Tells the garbage collector what an instance keeps.
    pub(crate) fn traverse(
        _py,
        tensor: Lent<Object>,
        visit: Plain<ffi::visitproc>,
        arg: Plain<*mut c_void>
    ) -> c_int {
        let mut visitor = raw::Visitor::new(visit, arg);
        visitor.class_of(tensor);
        peek(tensor).hosts(&mut |host| {
            // SAFETY: hooks hold the objects that they call, and nobody but the tensor has the hooks.
            unsafe { visitor.see(host.cast()) };
        });
        // SAFETY: an instance, whose dictionary is a counted reference or null.
        unsafe { visitor.see((*tensor.as_ptr().cast::<Object>()).attributes) };
        visitor.result()
    }

    /// Lets go of what an instance keeps, which nobody reaches any more.
    pub(crate) fn clear(_py, tensor: Lent<Object>) -> c_int {
        attached(|| peek(tensor).forget_hosts());
        // SAFETY: an instance, which has a reference to its dictionary, if there is one.
        unsafe { forget_attributes(tensor.as_ptr()) };
        0
    }

    /// `tensor.name = value`, and `del`. From the first attribute on, the tensor may be part of a
    /// cycle.
    pub(crate) fn set_attribute(
        _py,
        tensor: Lent<Object>,
        name: Lent<PyAny>,
        value: Optional<PyAny>
    ) -> c_int {
        let value = value.as_ref().map_or(ptr::null_mut(), |it| it.as_ptr());
        // SAFETY: objects that live, and null for no value, as the interpreter's function takes them.
        let done = unsafe {
            ffi::PyObject_GenericSetAttr(tensor.as_ptr(), name.as_ptr(), value)
        };
        track_attributes(tensor);
        done
    }

    /// `tensor.__dict__`.
    pub(crate) fn attributes(py, tensor: Lent<Object>, _closure: Plain<*mut c_void>) -> New {
        // SAFETY: an object of a class that says where it has its dictionary.
        let found = unsafe {
            let found = ffi::PyObject_GenericGetDict(tensor.as_ptr(), ptr::null_mut());
            Bound::from_owned_ptr_or_opt(py, found)
        };
        track_attributes(tensor);
        found
    }

    /// `tensor.__dict__ = value`.
    pub(crate) fn set_attributes(
        _py,
        tensor: Lent<Object>,
        value: Optional<PyAny>,
        _closure: Plain<*mut c_void>
    ) -> c_int {
        let value = value.as_ref().map_or(ptr::null_mut(), |it| it.as_ptr());
        // SAFETY: as above; null stands for `del`, which the function refuses.
        let done = unsafe {
            ffi::PyObject_GenericSetDict(tensor.as_ptr(), value, ptr::null_mut())
        };
        track_attributes(tensor);
        done
    }
}

/// Has the garbage collector look at a tensor that has attributes.
fn track_attributes(tensor: Borrowed<'_, '_, Object>) {
    // SAFETY: the type says that it begins with an `Object`.
    if unsafe { !(*tensor.as_ptr().cast::<Object>()).attributes.is_null() } {
        track(tensor);
    }
}

/// Lets go of the attributes.
///
/// # Safety
///
/// The object begins with an `Object`, and the GIL is held.
unsafe fn forget_attributes(object: *mut PyObject) {
    // SAFETY: the place is emptied before code of Python runs, so the reference is given back once.
    unsafe {
        let place = &raw mut (*object.cast::<Object>()).attributes;
        ffi::Py_XDECREF(ptr::replace(place, ptr::null_mut()));
    }
}

/// Runs what may free objects: PyO3 does so at once where it knows that the GIL is held, which it does
/// not want to hear while the interpreter shuts down.
fn attached(run: impl FnOnce()) {
    let mut run = Some(run);
    Python::try_attach(|_| run.take().map(|it| it()));
    run.into_iter().for_each(|it| it());
}

/// Frees an instance.
pub(crate) unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: called by the interpreter, once, on an instance that nobody holds, which has a tensor
    // and refers to its class still.
    unsafe {
        let this = object.cast::<Object>();
        let class = ffi::Py_TYPE(object);
        let is_bare = is_plain(class) && (*this).attributes.is_null();
        if (*this).tensor.is_known() || !is_bare {
            return dealloc_tracked(object, class);
        }
        (*this).tensor.clear_lent_host(object.cast());
        forget(object);
        ManuallyDrop::drop(&mut (*this).tensor);
        give_back(object, class);
    }
}

/// The same of one that the collector of garbage knows.
///
/// # Safety
///
/// As the interpreter calls [`dealloc`].
#[cold]
unsafe fn dealloc_tracked(object: *mut PyObject, class: *mut PyTypeObject) {
    // SAFETY: as above.
    unsafe {
        let this = object.cast::<Object>();
        let is_known = (*this).tensor.is_known();
        if is_known {
            (*this).tensor.clear_host(object.cast());
        } else {
            (*this).tensor.clear_lent_host(object.cast());
        }
        raw::untrack(object);
        forget(object);
        forget_attributes(object);
        if is_known {
            attached(|| ManuallyDrop::drop(&mut (*this).tensor));
        } else {
            ManuallyDrop::drop(&mut (*this).tensor);
        }
        give_back(object, class);
    }
}

/// Tells weak references that an instance goes.
///
/// # Safety
///
/// Nobody holds it.
#[inline(always)]
unsafe fn forget(object: *mut PyObject) {
    // SAFETY: as above.
    unsafe {
        if !(*object.cast::<Object>()).weak_references.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
    }
}

/// Ends an instance whose tensor is dropped.
///
/// # Safety
///
/// Nobody holds it.
#[inline(always)]
unsafe fn give_back(object: *mut PyObject, class: *mut PyTypeObject) {
    // SAFETY: as above.
    unsafe {
        ffi::Py_XDECREF((*object.cast::<Object>()).shape);
        if !free_list::keep(object, class) {
            raw::free(object, class);
        }
        ffi::Py_DECREF(class.cast());
    }
    deferred::drain();
}
