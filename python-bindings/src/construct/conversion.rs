//! Conversions of tensors to another dtype, device or memory format.

use opwright_runtime::{DType, Device, MemoryFormat, Tensor};
use pyo3::prelude::*;

use crate::object::gil::detached;
use crate::object::{self, Failure, operators};

/// What a tensor shall become.
#[derive(Clone, Copy, Default)]
pub(crate) struct Conversion {
    pub(crate) dtype: Option<DType>,
    pub(crate) device: Option<Device>,
    /// Even if nothing changes.
    pub(crate) copy: bool,
    pub(crate) memory_format: Option<MemoryFormat>,
}

impl Conversion {
    /// The tensor as it shall be, or `None` if it is that already.
    pub(crate) fn apply(self, py: Python<'_>, tensor: &Tensor) -> Result<Option<Tensor>, Failure> {
        let format = self.memory_format.filter(|it| *it != MemoryFormat::Preserve);
        let dtype = self.dtype.unwrap_or(tensor.dtype());
        let device = self.device.unwrap_or(tensor.device());
        let changes = dtype != tensor.dtype()
            || device != tensor.device()
            || format.is_some_and(|it| !tensor.is_in_format(it));
        if !changes && !self.copy {
            return Ok(None);
        }
        let format = format.unwrap_or(MemoryFormat::Preserve);
        let is_cast = dtype != tensor.dtype() || device != tensor.device();
        let convert = || match is_cast {
            true => operators::to_copy(tensor, dtype, device, format),
            false => operators::clone(tensor, format),
        };
        Ok(Some(detached(py, tensor.numel(), convert)?))
    }
}

/// `object` itself if its tensor needs no change, else a new object.
pub(crate) fn converted<'py>(
    object: &Bound<'py, PyAny>,
    tensor: &Tensor,
    conversion: Conversion,
) -> Result<Bound<'py, PyAny>, Failure> {
    match conversion.apply(object.py(), tensor)? {
        Some(tensor) => Ok(object::wrap(object.py(), tensor)?),
        None => Ok(object.clone()),
    }
}
