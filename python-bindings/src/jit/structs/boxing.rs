//! Boxing and unboxing of structs, as arguments and results of compiled functions.

use std::ptr;

use opwright_jit::entry::{Owner, argument_owner};
use opwright_jit::types::{Representation, Ty, TyKind, User};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::member::from_object;
use super::memory::{copy, parts, read_number, write_number};
use super::object::{check_class, look_into, new_object, start};
use crate::jit::arrays::{self, Arguments, BoxContext, Words};
use crate::jit::objects;

/// Appends the words of a struct: its owner, and its members or its address.
pub(in crate::jit) fn unbox<'py>(
    object: &Bound<'py, PyAny>,
    ty: Ty,
    user: &User,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    check_class(object, user)?;
    words.push(argument_owner(arguments.list.len()));
    let place = start(object);
    arguments.list.push((object.clone(), smallvec::smallvec![place.expose_provenance() as u64]));
    let is_reference = user.form == Representation::Reference;
    if is_reference {
        words.push(place.expose_provenance() as u64);
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        let place = place.wrapping_add(offset);
        // SAFETY: an object of the class that was made for these members.
        unsafe { read(object.py(), place, ty, is_reference, words, arguments) }?;
    }
    Ok(())
}

/// Appends the words of a member of a struct: of one that is not copied, those of the arrays alone that
/// it refers to.
///
/// # Safety
///
/// There is a value of this type at the place.
unsafe fn read<'py>(
    py: Python<'py>,
    place: *mut u8,
    ty: Ty,
    is_reference: bool,
    words: &mut Words,
    arguments: &mut Arguments<'py>,
) -> PyResult<()> {
    match &*ty {
        TyKind::Array(_) => {
            // SAFETY: the caller says that a reference is there, or null.
            let array = unsafe {
                let array = place.cast::<*mut PyObject>().read_unaligned();
                Bound::from_borrowed_ptr_or_opt(py, array)
            };
            let array = array.ok_or_else(|| PyTypeError::new_err("an array was not set"))?;
            return arrays::unbox(&array, words, arguments);
        }
        _ if is_reference && ty.referred().is_empty() => return Ok(()),
        TyKind::User(_) if !is_reference => words.push(0),
        TyKind::User(_) | TyKind::Tuple(_) => {}
        _ => {
            // SAFETY: the caller says that a number is there.
            unsafe { read_number(place, ty, words) };
            return Ok(());
        }
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: the part lies within the value.
        unsafe { read(py, place.wrapping_add(offset), ty, is_reference, words, arguments) }?;
    }
    Ok(())
}

/// The object of a struct: the one that was passed, a part of it, or a new one.
pub(in crate::jit) fn boxed<'py>(
    py: Python<'py>,
    ty: Ty,
    user: &User,
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let (own, rest) = words.split_at(ty.width());
    *words = rest;
    let known = match Owner::of(own[0]) {
        Owner::Argument(at) => Some(context.arguments.list[at].0.clone()),
        Owner::Constant(at) => Some(objects::object(py, context.held[at])),
        Owner::Made(_) | Owner::None => None,
    };
    if user.form != Representation::Reference {
        return known.map_or_else(|| made(py, ty, user, None, own, context), Ok);
    }
    let place = ptr::with_exposed_provenance_mut::<u8>(own[1] as usize);
    let Some(known) = known else {
        return made(py, ty, user, Some(place), &own[2..], context);
    };
    if start(&known) == place && check_class(&known, user).is_ok() {
        return Ok(known);
    }
    let made = new_object(py, user)?;
    look_into(&made, &known, place);
    Ok(made)
}

/// A new object of a value that a program made in memory, or of these words.
fn made<'py>(
    py: Python<'py>,
    ty: Ty,
    user: &User,
    from: Option<*mut u8>,
    mut words: &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = new_object(py, user)?;
    // SAFETY: a new object of the class that was made for these members; memory that a program made for
    // a struct is as large as these, and the frame keeps it.
    unsafe { write(py, from, start(&made), ty, &mut words, context) }?;
    Ok(made)
}

/// Writes a value to a new object: its numbers from memory, or else from words; its arrays from words.
///
/// # Safety
///
/// There are values of this type at both places; references of the first are none.
unsafe fn write<'py>(
    py: Python<'py>,
    from: Option<*mut u8>,
    to: *mut u8,
    ty: Ty,
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<()> {
    match (&*ty, from) {
        (TyKind::Array(array), _) => {
            let (own, rest) = words.split_at(ty.width());
            *words = rest;
            let BoxContext { frame, arguments, held } = *context;
            let array = arrays::boxed(py, array, own, frame, arguments, held)?;
            // SAFETY: a new object, whose reference is null.
            unsafe { from_object(&array, to, ty) }
        }
        (TyKind::Tuple(_) | TyKind::User(_), _) => {
            // Words have the owner of a struct in front.
            let owners = usize::from(from.is_none() && matches!(*ty, TyKind::User(_)));
            *words = &words[owners..];
            for (offset, ty) in parts(ty).unwrap_or_default() {
                let from = from.map(|it| it.wrapping_add(offset));
                // SAFETY: the part lies within the values.
                unsafe { write(py, from, to.wrapping_add(offset), ty, words, context) }?;
            }
            Ok(())
        }
        (_, Some(from)) => {
            // SAFETY: the caller says that there is a number at both places.
            unsafe { copy(from, to, ty) };
            Ok(())
        }
        (_, None) => {
            let (own, rest) = words.split_at(ty.width());
            *words = rest;
            // SAFETY: the caller says that a number of this type is there.
            unsafe { write_number(to, ty, own) };
            Ok(())
        }
    }
}
