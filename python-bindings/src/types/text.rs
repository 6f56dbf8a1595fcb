//! Text arguments.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::args::type_name;
use crate::failure::Failure;

/// The text of a `str`, or of `bytes` in UTF-8.
///
/// # Errors
///
/// `TypeError` for other types, `ValueError` for bytes that are not UTF-8.
pub fn text(object: &Bound<'_, PyAny>) -> Result<String, Failure> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes())
            .map_err(|error| PyValueError::new_err(format!("expected text in UTF-8: {error}")))?;
        return Ok(text.to_owned());
    }
    Err(PyTypeError::new_err(format!("expected a str, not {}", type_name(object))).into())
}
