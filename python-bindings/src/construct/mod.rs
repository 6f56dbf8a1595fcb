//! Tensors from data of Python: numbers, nested sequences, arrays, buffers and other tensors.

pub(crate) mod conversion;
mod fill;
pub(crate) mod leaf;
mod position;
pub(crate) mod rows;
mod survey;

use opwright_runtime::{DType, Device, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use self::conversion::Conversion;
use self::leaf::Leaf;
use self::rows::Rows;
use crate::interop::{dlpack, import, numpy};
use crate::object::foreign::is_foreign_tensor;
use crate::object::gil::detached;
use crate::object::{self, Failure, operators};
use crate::raw::{Buffer, is_buffer};

/// A new tensor with the elements of `data`, and memory of its own.
///
/// # Errors
///
/// `TypeError` for data that is no number, sequence or array, `ValueError` for
/// sequences of different lengths, and numbers that do not fit the dtype.
pub(crate) fn copy_of(
    data: &Bound<'_, PyAny>,
    dtype: Option<DType>,
    device: Option<Device>,
) -> Result<Tensor, Failure> {
    let py = data.py();
    if let Some(tensor) = object::tensor_of(data).cloned() {
        // A new tensor is no result of the one that it was made from.
        let tensor = operators::detach(&tensor)?;
        let conversion = Conversion { dtype, device, copy: true, memory_format: None };
        return Ok(conversion.apply(py, &tensor)?.unwrap_or(tensor));
    }
    let tensor = if is_foreign_tensor(data) {
        let tensor = cast(py, dlpack::tensor(data)?, dtype)?;
        detached(py, tensor.numel(), || tensor.copy())?
    } else {
        match array_of(data)? {
            Some(array) => cast(py, numpy::copy_array(&array)?, dtype)?,
            None => from_python(data, dtype)?,
        }
    };
    Ok(tensor.to_device(device.unwrap_or(Device::Cpu))?)
}

/// A tensor over the memory of an object with a buffer, such as a `memoryview` or an `array.array`,
/// and false; of read-only memory, over a copy, and true. Nothing of elements that no dtype is for,
/// and of `bytes`, which are text to many.
pub(crate) fn memory_of(data: &Bound<'_, PyAny>) -> Result<Option<(Tensor, bool)>, Failure> {
    let is_buffer = is_buffer(data) && !data.is_instance_of::<PyBytes>();
    if is_buffer && Buffer::get(data).is_ok_and(|it| it.dtype().is_some()) {
        return import::view(data).map(Some);
    }
    Ok(None)
}

/// Whether a tensor may live in an array's memory.
pub(crate) fn is_shareable(array: &Bound<'_, PyAny>) -> bool {
    Buffer::get(array).is_ok_and(|it| !it.is_read_only())
}

/// The array that `data` is, or says that it can be.
pub(crate) fn array_of<'py>(
    data: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, Failure> {
    if numpy::is_array(data) {
        return Ok(Some(data.clone()));
    }
    // Numbers and sequences of Python may have the method, and need no array.
    if Leaf::is_number(data) || Rows::are_native(data) || !data.hasattr("__array__")? {
        return Ok(None);
    }
    let array = data.py().import("numpy")?.getattr("asarray")?.call1((data,))?;
    Ok(Some(array))
}

pub(crate) fn cast(
    py: Python<'_>,
    tensor: Tensor,
    dtype: Option<DType>,
) -> Result<Tensor, Failure> {
    match dtype {
        Some(dtype) if dtype != tensor.dtype() => {
            Ok(detached(py, tensor.numel(), || operators::to_dtype(&tensor, dtype))?)
        }
        Some(_) | None => Ok(tensor),
    }
}

/// A number, or sequences within sequences.
fn from_python(data: &Bound<'_, PyAny>, dtype: Option<DType>) -> Result<Tensor, Failure> {
    let survey = survey::of(data)?;
    fill::tensor(data, &survey.shape, dtype.unwrap_or(survey.dtype))
}
