//! The objects of structs: made, freed, and where their members are.

use std::collections::HashMap;

use opwright_jit::types::{Ty, TyKind, User};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::memory::release;
use crate::jit::{freeze, objects};

/// What every object of a struct begins with.
#[repr(C)]
pub(super) struct Head {
    object: PyObject,
    /// The object that this is a part of; null if it is none.
    around: *mut PyObject,
    /// Where the members are, if it is.
    place: *mut u8,
}

/// Where the members of an object begin that is no part of another.
pub(super) const HEAD: usize = size_of::<Head>();

/// Where the members of an object of a struct are.
#[inline]
pub(in crate::jit) fn start(object: &Bound<'_, PyAny>) -> *mut u8 {
    let head = object.as_ptr().cast::<Head>();
    // SAFETY: callers have an object of a class of structs, which begins with a head.
    let place = unsafe { (*head).place };
    if place.is_null() { object.as_ptr().cast::<u8>().wrapping_add(HEAD) } else { place }
}

/// A new object of a class of structs, whose members are zero.
///
/// # Errors
///
/// `MemoryError`.
///
/// # Safety
///
/// `class` is one that `struct_class` made.
#[inline]
pub(in crate::jit) unsafe fn allocate(
    py: Python<'_>,
    class: *mut PyTypeObject,
) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: objects of such a class are as large as it says, and zeros are an object of its own with
    // members that are zero; what comes back is a new reference, or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyType_GenericAlloc(class, 0)) }
}

/// A new object of a struct, whose members are zero.
pub(super) fn new_object<'py>(py: Python<'py>, user: &User) -> PyResult<Bound<'py, PyAny>> {
    let class = objects::object(py, user.object).getattr("python_class")?;
    let class = class.cast_into::<PyType>().map_err(PyErr::from)?;
    know(&class)?;
    // SAFETY: types with a class of structs are those of such classes.
    unsafe { allocate(py, class.as_type_ptr()) }
}

/// Has a new object be a part of another.
pub(super) fn look_into(made: &Bound<'_, PyAny>, around: &Bound<'_, PyAny>, place: *mut u8) {
    let head = made.as_ptr().cast::<Head>();
    // SAFETY: a new object of a class of structs; it holds the one around from here on.
    unsafe {
        (*head).around = around.clone().into_ptr();
        (*head).place = place;
    }
}

/// Frees an object whose members refer to nothing, or that is a part of another.
pub(super) unsafe extern "C" fn free_numbers(object: *mut PyObject) {
    // SAFETY: the interpreter passes an object of a class of structs that nobody refers to any more.
    unsafe {
        let around = (*object.cast::<Head>()).around;
        free(object);
        ffi::Py_XDECREF(around);
    }
}

/// Frees an object that may refer to arrays, or that is a part of another.
pub(super) unsafe extern "C" fn free_arrays(object: *mut PyObject) {
    // SAFETY: as for `free_numbers`; its members are those of the type of its class, which is known
    // once there is anything in them.
    unsafe {
        let around = (*object.cast::<Head>()).around;
        // The last objects are freed when the interpreter ends, and nobody attaches any more.
        if around.is_null()
            && let Some(ty) = known(ffi::Py_TYPE(object).addr())
        {
            release(object.cast::<u8>().add(HEAD), ty);
        }
        free(object);
        ffi::Py_XDECREF(around);
    }
}

/// Gives back the memory of an object.
///
/// # Safety
///
/// `allocate` or the class's `__new__` made it, and nobody refers to it any more.
unsafe fn free(object: *mut PyObject) {
    // SAFETY: the collector does not look at such objects, and no class derives from theirs, so that
    // the interpreter has taken this memory as it does by default. The class lives as long as its
    // objects, and is released last, as that of a heap type is.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DECREF(class.cast());
    }
}

/// The types of classes of structs, which live as long as the process, by their addresses.
static TYPES: Lock<Option<HashMap<usize, Ty>>> = Lock::new(None);

/// The type of the class of structs at an address, once an object of it came.
fn known(class: usize) -> Option<Ty> {
    TYPES.lock().as_ref()?.get(&class).copied()
}

/// The type of an object of a class of structs; none for others.
pub(in crate::jit) fn type_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    match known(object.get_type_ptr().addr()) {
        Some(ty) => Ok(Some(ty)),
        None => know(&object.get_type()),
    }
}

/// The type of a class of structs, which is known from here on; none for others.
fn know(class: &Bound<'_, PyType>) -> PyResult<Option<Ty>> {
    let address = class.as_ptr().addr();
    if let Some(ty) = known(address) {
        return Ok(Some(ty));
    }
    if class.getattr("_opwright_defaults_").is_err() {
        return Ok(None);
    }
    let ty = freeze::from_python(&class.getattr("_opwright_type_")?)?;
    // The class is kept, so that no other gets its address.
    objects::keep(class.as_any());
    TYPES.lock().get_or_insert_default().insert(address, ty);
    Ok(Some(ty))
}

pub(super) fn check_class(value: &Bound<'_, PyAny>, user: &User) -> PyResult<()> {
    match type_of(value)?.as_deref() {
        Some(TyKind::User(own)) if own.object == user.object => Ok(()),
        _ => Err(PyTypeError::new_err(format!(
            "expected a {}, not a {}",
            user.name,
            crate::object::type_name(value)
        ))),
    }
}
