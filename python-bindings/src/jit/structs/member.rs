//! Members as attributes: objects of what lies in memory, and back.

use std::ffi::{c_int, c_void};
use std::ptr;

use opwright_jit::types::{Array, ArrayLayout, Representation, Ty, TyKind};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::memory::{copy, parts, read_number, write_number};
use super::object::{check_class, look_into, new_object, start, type_of};
use crate::jit::arrays::{self, Words};
use crate::jit::numbers;
use crate::object::failure::throw;

/// A member as its descriptor knows it.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) offset: usize,
}

/// Reads a member.
pub(super) unsafe extern "C" fn get(object: *mut PyObject, closure: *mut c_void) -> *mut PyObject {
    Python::attach(|py| {
        // SAFETY: the interpreter passes an object of the class that the descriptor belongs to, and
        // the member that was put beside it, which is never freed.
        let (object, member) = unsafe {
            (Bound::from_borrowed_ptr(py, object), &*closure.cast::<Member>().cast_const())
        };
        let place = start(&object).wrapping_add(member.offset);
        // SAFETY: the member of this type lies at the place, within the object.
        match unsafe { to_object(&object, place, member.ty) } {
            Ok(found) => found.into_ptr(),
            Err(error) => {
                throw(|_| error);
                ptr::null_mut()
            }
        }
    })
}

/// Writes a member.
pub(super) unsafe extern "C" fn set(
    object: *mut PyObject,
    value: *mut PyObject,
    closure: *mut c_void,
) -> c_int {
    Python::attach(|py| {
        // SAFETY: as for `get`.
        let (object, member) = unsafe {
            (Bound::from_borrowed_ptr(py, object), &*closure.cast::<Member>().cast_const())
        };
        // SAFETY: the value is an object that lives as long as the call, or null.
        let value = unsafe { Bound::from_borrowed_ptr_or_opt(py, value) };
        let place = start(&object).wrapping_add(member.offset);
        let done = match value {
            // The class is known once something is set, which freeing an object asks for.
            Some(value) => type_of(&object).and_then(|_| {
                // SAFETY: the member of this type lies at the place, within the object.
                unsafe { from_object(&value, place, member.ty) }
            }),
            None => Err(PyAttributeError::new_err(format!("{} cannot be deleted", member.name))),
        };
        match done {
            Ok(()) => 0,
            Err(error) => {
                throw(|_| error);
                -1
            }
        }
    })
}

/// The object of a member: a number, an array, a tuple, or a struct that is a part of the one around.
///
/// # Safety
///
/// There is a value of this type at the place, within the object.
unsafe fn to_object<'py>(
    around: &Bound<'py, PyAny>,
    place: *mut u8,
    ty: Ty,
) -> PyResult<Bound<'py, PyAny>> {
    let py = around.py();
    match &*ty {
        TyKind::Array(_) => {
            // SAFETY: the caller says that a reference is there, or null.
            let array = unsafe {
                let array = place.cast::<*mut PyObject>().read_unaligned();
                Bound::from_borrowed_ptr_or_opt(py, array)
            };
            array.ok_or_else(|| PyAttributeError::new_err("the array was not set"))
        }
        TyKind::Tuple(_) => {
            let mut items = Vec::new();
            for (offset, ty) in parts(ty).unwrap_or_default() {
                // SAFETY: the item lies within the tuple.
                items.push(unsafe { to_object(around, place.add(offset), ty) }?);
            }
            Ok(PyTuple::new(py, items)?.into_any())
        }
        TyKind::User(user) => {
            let made = new_object(py, user)?;
            if user.form == Representation::Reference {
                look_into(&made, around, place);
            } else {
                // SAFETY: a new object of the class of the member's type.
                unsafe { copy(place, start(&made), ty) };
            }
            Ok(made)
        }
        _ => {
            let mut words = Words::new();
            // SAFETY: the caller says that a number is there.
            unsafe { read_number(place, ty, &mut words) };
            numbers::boxed(py, ty, &mut &words[..])
        }
    }
}

/// Writes an object to a member.
///
/// # Safety
///
/// There is a value of this type at the place.
pub(super) unsafe fn from_object(value: &Bound<'_, PyAny>, place: *mut u8, ty: Ty) -> PyResult<()> {
    match &*ty {
        TyKind::Array(array) => {
            check_array(value, ty, array)?;
            let new = value.as_ptr();
            // SAFETY: the caller says that a reference is there, or null; it is written before the old
            // one is given back, as that may run anything.
            unsafe { copy(ptr::from_ref(&new).cast(), place, ty) };
            Ok(())
        }
        TyKind::Tuple(items) => {
            let given = value.cast::<PyTuple>().map_err(PyErr::from)?;
            if given.len() != items.len() {
                return Err(PyTypeError::new_err(format!("expected a tuple of {}", items.len())));
            }
            for (item, (offset, ty)) in given.iter().zip(parts(ty).unwrap_or_default()) {
                // SAFETY: the item lies within the tuple.
                unsafe { from_object(&item, place.add(offset), ty) }?;
            }
            Ok(())
        }
        TyKind::User(user) => {
            check_class(value, user)?;
            // SAFETY: an object of the class of the member's type.
            unsafe { copy(start(value), place, ty) };
            Ok(())
        }
        _ => {
            let mut words = Words::new();
            numbers::unbox(value, ty, &mut words)?;
            // SAFETY: the caller says that a number of this type is there.
            unsafe { write_number(place, ty, &words) };
            Ok(())
        }
    }
}

fn check_array(value: &Bound<'_, PyAny>, ty: Ty, wanted: &Array) -> PyResult<()> {
    let found = arrays::type_of(value)?;
    let fits = found.and_then(|it| it.as_array()).is_some_and(|it| {
        it.dtype == wanted.dtype
            && it.ndim == wanted.ndim
            && (wanted.layout == ArrayLayout::Any || it.layout == wanted.layout)
            && (wanted.is_readonly || !it.is_readonly)
    });
    if fits {
        return Ok(());
    }
    let found = found.map_or_else(|| crate::object::type_name(value), |it| it.to_string());
    Err(PyTypeError::new_err(format!("expected a {ty}, not a {found}")))
}

/// Sets a member of a struct, by its number, whether it is frozen or not.
#[pyfunction]
pub(super) fn struct_set(
    object: &Bound<'_, PyAny>,
    at: usize,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let Some(ty) = type_of(object)? else { return Err(PyTypeError::new_err("no struct")) };
    let Some((offset, ty)) = parts(ty).unwrap_or_default().get(at).copied() else {
        return Err(PyAttributeError::new_err("no such member"));
    };
    // SAFETY: an object of a class that was made for these members, the GIL being held.
    unsafe { from_object(value, start(object).wrapping_add(offset), ty) }
}

/// The bytes of a struct's members, as an address.
#[pyfunction]
pub(super) fn struct_get(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match type_of(object)? {
        Some(_) => Ok(start(object).addr()),
        None => Err(PyTypeError::new_err("no struct")),
    }
}
