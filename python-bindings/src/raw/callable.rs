//! Classes whose instances are called without a tuple for the arguments.

use std::ffi::{CString, c_char, c_ulong};

use pyo3::ffi::{self, PyMemberDef, PyObject};
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
    let spec = Spec {
        name,
        size: size + size_of::<Option<Entry>>(),
        flags: HAVE_VECTORCALL,
        slots: vec![Spec::slot(ffi::Py_tp_members, members.as_ptr().cast())],
    };
    // SAFETY: the members end with an empty one and are never freed; instances are those of the base
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
