//! Errors of compilation as exceptions of the package.

use opwright_jit::Error;
use opwright_jit::error::{ErrorKind, Report, SourcePlace};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception of an error of compilation; `raised` is what Python raised meanwhile, which is asked
/// for where that is the error.
pub(super) fn compilation(
    py: Python<'_>,
    error: &Error,
    raised: impl FnOnce() -> Option<PyErr>,
) -> PyErr {
    let report = error.report();
    if report.kind == ErrorKind::Host
        && let Some(raised) = raised()
    {
        return placed(py, raised, report).unwrap_or_else(|it| it);
    }
    typing(py, report).unwrap_or_else(|it| it)
}

fn typing(py: Python<'_>, report: &Report) -> PyResult<PyErr> {
    let module = py.import(format!("{}._jit.errors", crate::object::package::name()))?;
    let class = module.getattr(match report.kind {
        ErrorKind::Typing | ErrorKind::Host | ErrorKind::Unreached => "TypingError",
        ErrorKind::Unsupported => "UnsupportedError",
        ErrorKind::Ambiguous => "AmbiguousOverloadError",
    })?;
    let text = report.notes.iter().fold(report.message.clone(), |text, note| text + "\n  " + note);
    let known = PyDict::new(py);
    if let Some(SourcePlace { file, span, text }) = &report.place {
        known.set_item("filename", &**file)?;
        known.set_item("line", span.line)?;
        known.set_item("column", span.column)?;
        known.set_item("text", text)?;
    }
    let made = class.call((text,), Some(&known))?;
    Ok(PyErr::from_value(made))
}

/// A typing error of the package, at the place that the compiler was at, if it has none.
fn placed(py: Python<'_>, raised: PyErr, report: &Report) -> PyResult<PyErr> {
    let class = py.import(format!("{}._jit.errors", crate::object::package::name()))?;
    let value = raised.value(py);
    let Some(place) = &report.place else { return Ok(raised) };
    if value.is_instance(&class.getattr("TypingError")?)? && value.getattr("line")?.is_none() {
        value.setattr("filename", &*place.file)?;
        value.setattr("line", place.span.line)?;
        value.setattr("column", place.span.column)?;
        value.setattr("text", &place.text)?;
    }
    Ok(raised)
}

/// An `UnsupportedError` without a place.
#[cold]
pub(super) fn unsupported(py: Python<'_>, text: &str) -> PyErr {
    raise(py, "UnsupportedError", text)
}

/// A `TypingError` without a place.
#[cold]
pub(super) fn typing_error(py: Python<'_>, text: &str) -> PyErr {
    raise(py, "TypingError", text)
}

fn raise(py: Python<'_>, class: &str, text: &str) -> PyErr {
    let module = py.import(format!("{}._jit.errors", crate::object::package::name()));
    let made = module.and_then(|it| it.getattr(class)).and_then(|it| it.call1((text,)));
    made.map_or_else(|it| it, PyErr::from_value)
}
