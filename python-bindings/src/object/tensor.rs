//! The Python object around a tensor: its layout, and what is known to be one.

use std::mem::ManuallyDrop;

use opwright_runtime::Tensor;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::classes;

/// What an instance of the native base class holds.
///
/// `Bound<'_, Object>` and `Borrowed<'_, '_, Object>` are objects that are known to be tensors.
#[repr(C)]
pub struct Object {
    base: PyObject,
    pub(super) tensor: ManuallyDrop<Tensor>,
    /// What `shape` returned for this handle, or null.
    pub(super) shape: *mut PyObject,
    /// The list that the interpreter keeps for weak references.
    pub(super) weak_references: *mut PyObject,
    /// The dictionary of attributes that somebody gave the tensor, or null.
    pub(super) attributes: *mut PyObject,
}

/// The tensor of an object that is known to be one.
///
/// What runs code of Python meanwhile clones it before: a call that writes may replace the handle.
#[inline(always)]
pub fn peek<'a>(object: Borrowed<'a, '_, Object>) -> &'a Tensor {
    // SAFETY: the type says that it is an instance, and instances are never seen without a tensor.
    unsafe { &(*object.as_ptr().cast::<Object>()).tensor }
}

/// Whether somebody gave the tensor attributes.
pub(crate) fn has_attributes(object: Borrowed<'_, '_, Object>) -> bool {
    // SAFETY: the type says that it begins with an `Object`, and the GIL is held.
    unsafe { !(*object.as_ptr().cast::<Object>()).attributes.is_null() }
}

/// Whether `object` is a tensor.
#[inline]
pub fn is_tensor(object: &Bound<'_, PyAny>) -> bool {
    classes::TENSOR.is_exact(object) || classes::TENSOR_BASE.is_class_of(object)
}

/// `object` as one that is known to be a tensor, if it is one.
#[inline]
pub fn known<'a, 'py>(object: Borrowed<'a, 'py, PyAny>) -> Option<Borrowed<'a, 'py, Object>> {
    // SAFETY: its class is the native one or derived from it, so it begins with an `Object`.
    if is_tensor(&object) { Some(unsafe { object.cast_unchecked() }) } else { None }
}

/// The same for one of the class that operators return.
#[inline(always)]
pub(crate) fn exact<'a, 'py>(
    object: Borrowed<'a, 'py, PyAny>,
) -> Option<Borrowed<'a, 'py, Object>> {
    // SAFETY: the class is derived from the native one, so it begins with an `Object`.
    if classes::TENSOR.is_exact(&object) { Some(unsafe { object.cast_unchecked() }) } else { None }
}

/// The same for one whose class is that of most tensors; others need a closer look.
#[inline(always)]
pub(crate) fn known_at_once<'a, 'py>(
    object: Borrowed<'a, 'py, PyAny>,
) -> Option<Borrowed<'a, 'py, Object>> {
    let is_plain = classes::TENSOR.is_exact(&object) || classes::TENSOR_BASE.is_exact(&object);
    // SAFETY: of the native class, or of the one that operators return, which is derived from it.
    if is_plain { Some(unsafe { object.cast_unchecked() }) } else { None }
}

/// The tensor of `object`, if it is one. As for [`peek`], code of Python may replace it.
#[inline]
pub fn tensor_of<'a>(object: &'a Bound<'_, PyAny>) -> Option<&'a Tensor> {
    known(object.as_borrowed()).map(peek)
}

/// Where instances keep their weak references, for the type's members.
pub(crate) const WEAK_OFFSET: usize = std::mem::offset_of!(Object, weak_references);

/// Where instances keep their attributes, for the type's members.
pub(crate) const ATTRIBUTES_OFFSET: usize = std::mem::offset_of!(Object, attributes);

/// How large an instance is.
pub(crate) const SIZE: usize = size_of::<Object>();
