//! Reductions of losses as functions of Python take them: a word, or the two older flags.

use std::ffi::CString;

use opwright_runtime::Reduction;
use pyo3::exceptions::{PyDeprecationWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use super::layout::no_reduction;

/// The word that the older flags stand for, if there are any; it warns of them, at the place of so many
/// callers above.
///
/// # Errors
///
/// The warning, if it is raised.
#[inline]
pub(crate) fn older<'py>(
    py: Python<'py>,
    size_average: Option<&Bound<'py, PyAny>>,
    reduce: Option<&Bound<'py, PyAny>>,
    level: i32,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_given = |it: Option<&Bound<'py, PyAny>>| it.is_some_and(|it| !it.is_none());
    if !is_given(size_average) && !is_given(reduce) {
        return Ok(None);
    }
    let is_false =
        |it: Option<&Bound<'py, PyAny>>| it.is_some_and(|it| it.is(PyBool::new(py, false)));
    let reduction = match (is_false(reduce), is_false(size_average)) {
        (true, _) => Reduction::None,
        (false, true) => Reduction::Sum,
        (false, false) => Reduction::Mean,
    };
    let text =
        format!("'size_average' and 'reduce' are deprecated; pass reduction='{reduction}' instead");
    let text = CString::new(text).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), &text, level)?;
    Ok(Some(PyString::intern(py, reduction.name()).into_any()))
}

/// The reduction, if it is a word of one: numbers are for operators.
///
/// # Errors
///
/// `ValueError`.
pub(crate) fn checked<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let word = given.cast::<PyString>().ok().map(|it| it.to_string_lossy());
    match word.and_then(|it| Reduction::from_name(&it)) {
        Some(_) => Ok(given.clone()),
        None => Err(PyValueError::new_err(no_reduction(given))),
    }
}

/// The word of a reduction, for functions that are written in Python.
#[pyfunction(name = "_reduction")]
#[pyo3(signature = (reduction, size_average, reduce, level, /))]
pub(super) fn word<'py>(
    reduction: &Bound<'py, PyAny>,
    size_average: &Bound<'py, PyAny>,
    reduce: &Bound<'py, PyAny>,
    level: i32,
) -> PyResult<Bound<'py, PyAny>> {
    match older(reduction.py(), Some(size_average), Some(reduce), level)? {
        Some(older) => Ok(older),
        None => checked(reduction),
    }
}
