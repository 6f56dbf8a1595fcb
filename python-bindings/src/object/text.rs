//! String arguments.

use opwright_runtime::Error;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::describe::type_name;
use super::failure::Failure;

/// The text of a `str`.
///
/// # Errors
///
/// `TypeError` for other types, `ValueError` for half a surrogate pair, which no text is.
pub fn text(object: &Bound<'_, PyAny>) -> Result<String, Failure> {
    let Ok(text) = object.cast::<PyString>() else {
        let message = format!("expected a str, not {}", type_name(object));
        return Err(PyTypeError::new_err(message).into());
    };
    let text = text.to_str().map_err(|_| {
        let shown = object.repr().map_or_else(|_| "it".to_owned(), |it| it.to_string());
        Error::value(format_args!("{shown} is no text: half of a surrogate pair stands alone"))
    })?;
    owned(text)
}

fn owned(text: &str) -> Result<String, Failure> {
    let mut owned = String::new();
    if owned.try_reserve_exact(text.len()).is_err() {
        return Err(Error::memory("not enough memory for the text").into());
    }
    owned.push_str(text);
    Ok(owned)
}
