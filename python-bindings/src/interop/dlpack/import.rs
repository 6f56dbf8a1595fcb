//! DLPack import: tensors over the memory in other libraries' capsules.

use opwright_runtime::tensor::dlpack::{Taken, VERSION};
use opwright_runtime::{Error, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use super::export::{NAME, VERSIONED_NAME};
use crate::object::{Failure, type_name};
use crate::raw;

/// A tensor over the memory of an object that speaks the protocol; of read-only
/// memory, over a copy.
///
/// # Errors
///
/// `TypeError` for other objects and for elements that we have no dtype for,
/// `BufferError` for memory of another device.
pub(crate) fn tensor(object: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
    Ok(view(object)?.0)
}

/// The same, and whether it is a copy.
///
/// # Errors
///
/// As for [`tensor`].
pub(crate) fn view(object: &Bound<'_, PyAny>) -> Result<(Tensor, bool), Failure> {
    let taken = take(&capsule_of(object)?)?;
    // SAFETY: by the protocol a capsule of that name points to such a structure, and one that was
    // taken has another name.
    unsafe { taken.tensor() }.map_err(|(error, _)| error.into())
}

fn capsule_of<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Failure> {
    if object.is_instance_of::<PyCapsule>() {
        return Ok(object.clone());
    }
    let method = object.getattr("__dlpack__").map_err(|_| {
        Error::wrong_type(format_args!(
            "argument 'ext_tensor' must be a capsule or have a method __dlpack__, as {} has not",
            type_name(object)
        ))
    })?;
    let keywords = PyDict::new(object.py());
    keywords.set_item("max_version", (VERSION[0], VERSION[1]))?;
    match method.call((), Some(&keywords)) {
        Ok(capsule) => Ok(capsule),
        // Older libraries do not know the keyword.
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Ok(method.call0()?),
        Err(error) => Err(error.into()),
    }
}

fn take(capsule: &Bound<'_, PyAny>) -> Result<Taken, Failure> {
    if let Some(it) = raw::take_capsule(capsule, VERSIONED_NAME, c"used_dltensor_versioned") {
        return Ok(Taken::Versioned(it.cast().as_ptr()));
    }
    let managed = raw::take_capsule(capsule, NAME, c"used_dltensor").ok_or_else(|| {
        Error::wrong_type(
            "expected a capsule of a tensor that nobody has taken; each can be taken once",
        )
    })?;
    Ok(Taken::Managed(managed.cast().as_ptr()))
}
