//! Vectorcall classes, whose instances are called without a tuple for the arguments.

#[cfg(feature = "jit")]
use std::ffi::c_void;
use std::ffi::{CString, c_char, c_ulong};

use pyo3::ffi::{self, PyMemberDef, PyObject, PyType_Slot};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::types::Spec;

/// `Py_TPFLAGS_HAVE_VECTORCALL`, which interpreters have had longer than their stable interface.
const HAVE_VECTORCALL: c_ulong = 1 << 11;

/// What the interpreter calls.
pub(crate) type Entry = unsafe extern "C" fn(
    *mut PyObject,
    *const *mut PyObject,
    usize,
    *mut PyObject,
) -> *mut PyObject;

/// A class derived from `base`, which has `__call__`, and where its instances keep their entries.
///
/// # Errors
///
/// Whatever making a class raises.
pub(crate) fn callable<'py>(
    name: CString,
    base: &Bound<'py, PyType>,
) -> PyResult<(Bound<'py, PyType>, usize)> {
    // SAFETY: there is no other slot.
    unsafe { made(name, base, 0, Vec::new()) }
}

/// The same, at whose instances the garbage collector looks.
///
/// # Errors
///
/// As for [`callable`].
///
/// # Safety
///
/// `traverse` is what the interpreter expects in the slot `tp_traverse`, and copes with every instance
/// of the class.
#[cfg(feature = "jit")]
pub(crate) unsafe fn collected_callable<'py>(
    name: CString,
    base: &Bound<'py, PyType>,
    traverse: *const c_void,
) -> PyResult<(Bound<'py, PyType>, usize)> {
    let slots = vec![Spec::slot(ffi::Py_tp_traverse, traverse)];
    // SAFETY: the caller vouches for the slot.
    unsafe { made(name, base, ffi::Py_TPFLAGS_HAVE_GC, slots) }
}

/// # Safety
///
/// What stands in each slot is what the interpreter expects of its id, is never freed, and copes with
/// every instance of the class.
unsafe fn made<'py>(
    name: CString,
    base: &Bound<'py, PyType>,
    flags: c_ulong,
    mut slots: Vec<PyType_Slot>,
) -> PyResult<(Bound<'py, PyType>, usize)> {
    let size: usize = base.getattr("__basicsize__")?.extract()?;
    let member = |name: *const c_char, offset: usize| PyMemberDef {
        name,
        type_code: ffi::Py_T_PYSSIZET,
        offset: offset as ffi::Py_ssize_t,
        flags: ffi::Py_READONLY,
        doc: std::ptr::null(),
    };
    // The interpreter keeps the pointer.
    let members: &'static [PyMemberDef; 2] = Box::leak(Box::new([
        member(c"__vectorcalloffset__".as_ptr(), size),
        member(std::ptr::null(), 0),
    ]));
    slots.push(Spec::slot(ffi::Py_tp_members, members.as_ptr().cast()));
    let spec = Spec {
        name,
        size: size + size_of::<Option<Entry>>(),
        flags: HAVE_VECTORCALL | flags,
        slots,
    };
    // SAFETY: the members end with an empty one and are never freed, the caller vouches for the other
    // slots; instances are those of the base
    // with room for an entry behind, which is null until it is set.
    let class = unsafe { spec.make(base.py(), None, Some(base))? };
    Ok((class, size))
}

/// Has the interpreter call an instance by `entry`.
///
/// # Safety
///
/// It is an instance of a class of [`callable`], which gave `offset`, and `entry` copes with it.
pub(crate) unsafe fn set_entry(object: &Bound<'_, PyAny>, offset: usize, entry: Entry) {
    // SAFETY: the caller says that there is room for an entry.
    unsafe { object.as_ptr().byte_add(offset).cast::<Option<Entry>>().write(Some(entry)) };
}
