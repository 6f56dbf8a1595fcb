//! DLPack export: capsules around our tensors.

use std::ffi::CStr;

use opwright_runtime::Tensor;
use opwright_runtime::tensor::dlpack::{Export, Managed, Versioned};
use pyo3::prelude::*;

use crate::object::Failure;
use crate::raw::{self, Named};

/// The name of a capsule that nobody has taken.
pub(super) const NAME: &CStr = c"dltensor";
/// The name of a capsule with a version.
pub(super) const VERSIONED_NAME: &CStr = c"dltensor_versioned";

/// A capsule with a view of `tensor`, which the view keeps alive.
///
/// # Errors
///
/// `NotImplementedError` for a meta tensor, `MemoryError`.
pub(crate) fn capsule<'py>(
    py: Python<'py>,
    tensor: Tensor,
    versioned: bool,
) -> Result<Bound<'py, PyAny>, Failure> {
    Ok(match versioned {
        true => raw::capsule_of(py, Export::<Versioned>::of(tensor)?)?,
        false => raw::capsule_of(py, Export::<Managed>::of(tensor)?)?,
    })
}

impl Named for Export<Managed> {
    const NAME: &'static CStr = NAME;
}

impl Named for Export<Versioned> {
    const NAME: &'static CStr = VERSIONED_NAME;
}
