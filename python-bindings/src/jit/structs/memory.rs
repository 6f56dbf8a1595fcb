//! Values in memory: what they consist of, copied, released, and their numbers as words.

use std::ptr;

use opwright_jit::types::{Ty, TyKind};
use opwright_jit::{member_layout, offset_of};
use pyo3::ffi::{self, PyObject};

use crate::jit::arrays::Words;

/// The types of what a value in memory consists of, with their places; none if it is one by itself.
pub(super) fn parts(ty: Ty) -> Option<Vec<(usize, Ty)>> {
    let types: Vec<Ty> = match &*ty {
        TyKind::Tuple(items) => items.to_vec(),
        TyKind::User(user) => user.members.iter().map(|(_, it)| *it).collect(),
        _ => return None,
    };
    let places = (0..types.len()).map(|at| offset_of(&types, at) as usize);
    Some(places.zip(types.iter().copied()).collect())
}

/// Gives back the arrays that a value in memory refers to.
///
/// # Safety
///
/// There is a value of this type at the place, which nobody uses any more.
pub(super) unsafe fn release(place: *mut u8, ty: Ty) {
    if matches!(*ty, TyKind::Array(_)) {
        // SAFETY: the caller says that a reference is there, or null.
        unsafe { ffi::Py_XDECREF(place.cast::<*mut PyObject>().read_unaligned()) };
    }
    for (offset, ty) in parts(ty).unwrap_or_default() {
        // SAFETY: the part lies within the value.
        unsafe { release(place.add(offset), ty) };
    }
}

/// Copies a value in memory, with a reference of its own to each array, over another.
///
/// # Safety
///
/// There are values of this type at both places.
pub(super) unsafe fn copy(from: *const u8, to: *mut u8, ty: Ty) {
    if from == to.cast_const() {
        return;
    }
    if let TyKind::Array(_) = *ty {
        // SAFETY: the caller says that references are there, or null.
        unsafe {
            let new = from.cast::<*mut PyObject>().read_unaligned();
            let old = to.cast::<*mut PyObject>().read_unaligned();
            ffi::Py_XINCREF(new);
            to.cast::<*mut PyObject>().write_unaligned(new);
            ffi::Py_XDECREF(old);
        }
        return;
    }
    match parts(ty) {
        // SAFETY: each part lies within the values.
        Some(parts) => parts
            .into_iter()
            .for_each(|(offset, ty)| unsafe { copy(from.add(offset), to.add(offset), ty) }),
        // SAFETY: the caller says that there are as many bytes at both places.
        None => unsafe { ptr::copy(from, to, member_layout(ty).0 as usize) },
    }
}

/// Writes a number.
///
/// # Safety
///
/// There is one of this type at the place.
pub(super) unsafe fn write_number(place: *mut u8, ty: Ty, words: &[u64]) {
    let size = ty.real_type().itemsize() as usize;
    for (number, word) in words.iter().enumerate() {
        // SAFETY: the caller says that so many bytes are there for each word.
        unsafe {
            let place = place.add(number * size);
            ptr::copy_nonoverlapping(word.to_le_bytes().as_ptr(), place, size);
        }
    }
}

/// Appends the words of a number.
///
/// # Safety
///
/// There is one of this type at the place.
pub(super) unsafe fn read_number(place: *const u8, ty: Ty, words: &mut Words) {
    let size = ty.real_type().itemsize() as usize;
    for number in 0..ty.width() {
        let mut bytes = [0; 8];
        // SAFETY: the caller says that so many bytes are there for each word.
        unsafe {
            let place = place.add(number * size);
            ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), size);
        }
        let word = u64::from_le_bytes(bytes);
        words.push(match &*ty {
            TyKind::Bool => u64::from(word != 0),
            TyKind::Int(int) if int.is_signed => {
                let shift = 64 - u32::from(int.bits);
                ((word << shift).cast_signed() >> shift).cast_unsigned()
            }
            _ => word,
        });
    }
}
