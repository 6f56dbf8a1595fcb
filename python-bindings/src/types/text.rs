//! Text arguments.

use opwright_runtime::Error;
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
        return owned(text.to_str()?);
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes())
            .map_err(|error| PyValueError::new_err(format!("expected text in UTF-8: {error}")))?;
        return owned(text);
    }
    Err(PyTypeError::new_err(format!("expected a str, not {}", type_name(object))).into())
}

fn owned(text: &str) -> Result<String, Failure> {
    let mut owned = String::new();
    if owned.try_reserve_exact(text.len()).is_err() {
        return Err(Error::memory("not enough memory for the text").into());
    }
    owned.push_str(text);
    Ok(owned)
}
