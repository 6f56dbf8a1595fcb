//! Number objects: to numbers of Rust, and from them.

use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// The value of an integer that fits 64 bits.
#[inline]
pub(crate) fn to_i64(integer: &Bound<'_, PyInt>) -> Option<i64> {
    let mut overflow = 0;
    // SAFETY: an integer, as its type says, so that its value is read without running code.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(integer.as_ptr(), &raw mut overflow) };
    (overflow == 0).then_some(value)
}

/// The nearest real number.
///
/// # Errors
///
/// `OverflowError` if the integer is larger than all of them.
pub(crate) fn to_f64(integer: &Bound<'_, PyInt>) -> PyResult<f64> {
    // SAFETY: an integer, as its type says.
    let value = unsafe { ffi::PyLong_AsDouble(integer.as_ptr()) };
    if value == -1.0 { PyErr::take(integer.py()).map_or(Ok(value), Err) } else { Ok(value) }
}

/// Whether the class of an object says that it can stand for an integer.
#[inline]
pub(crate) fn is_index(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: any object can be asked.
    unsafe { ffi::PyIndex_Check(object.as_ptr()) != 0 }
}

/// The integer that an object stands for.
///
/// # Errors
///
/// `TypeError` if it stands for none, and whatever its `__index__` raises.
pub(crate) fn index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyInt>> {
    // SAFETY: any object can be asked; what is returned is an integer, or null with an exception.
    unsafe {
        let index = ffi::PyNumber_Index(object.as_ptr());
        Ok(Bound::from_owned_ptr_or_err(object.py(), index)?.cast_into_unchecked())
    }
}

/// An integer.
///
/// # Errors
///
/// `MemoryError`, of which PyO3 would make a panic.
#[inline]
pub(crate) fn int(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the interpreter takes any number, and returns a new reference or null.
    unsafe { made(py, ffi::PyLong_FromLongLong(value)) }
}

/// The integer that is left of a real number without its fraction.
///
/// # Errors
///
/// `OverflowError` and `ValueError` for numbers that are not finite, `MemoryError`.
pub(crate) fn truncated(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: as in `int`.
    unsafe { made(py, ffi::PyLong_FromDouble(value)) }
}

/// A floating-point number.
///
/// # Errors
///
/// `MemoryError`.
#[inline]
pub(crate) fn float(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: as in `int`.
    unsafe { made(py, ffi::PyFloat_FromDouble(value)) }
}

/// A complex number.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn complex(py: Python<'_>, re: f64, im: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: as in `int`.
    unsafe { made(py, ffi::PyComplex_FromDoubles(re, im)) }
}

/// What a function made that returns null with an exception set if it fails.
///
/// # Safety
///
/// `object` is a new reference, or null with an exception set.
#[inline]
unsafe fn made(py: Python<'_>, object: *mut PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the caller says that it is a new reference or null.
    unsafe { Bound::from_owned_ptr_or_err(py, object) }
}
