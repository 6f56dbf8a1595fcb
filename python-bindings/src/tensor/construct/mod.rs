//! Tensors from Python objects: numbers, nested sequences, arrays, tensors.

pub(super) mod constructor;
mod fill;
mod leaf;
mod position;
mod rows;
mod survey;

use opwright_runtime::{DType, Device, Tensor};
use pyo3::prelude::*;

use self::leaf::Leaf;
use self::rows::Rows;
use super::convert::Conversion;
use super::guard::detached;
use super::{object, operators};
use crate::args::counterpart::is_foreign_tensor;
use crate::failure::Failure;
use crate::interop::{dlpack, numpy};
use crate::raw::Buffer;

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

/// A tensor with the elements of `data` that shares its memory if it can, and
/// whether it does.
///
/// # Errors
///
/// As for [`copy_of`].
pub(crate) fn share(
    data: &Bound<'_, PyAny>,
    dtype: Option<DType>,
    device: Option<Device>,
) -> Result<(Tensor, bool), Failure> {
    let shared = match object::tensor_of(data).cloned() {
        Some(tensor) => Some(tensor),
        None if is_foreign_tensor(data) => Some(dlpack::tensor(data)?),
        None => match array_of(data)? {
            Some(array) if is_shareable(&array) => Some(numpy::from_array(&array)?),
            Some(_) | None => None,
        },
    };
    let Some(tensor) = shared else {
        return Ok((copy_of(data, dtype, device)?, false));
    };
    let same = dtype.is_none_or(|it| it == tensor.dtype())
        && device.is_none_or(|it| it == tensor.device());
    if same {
        return Ok((tensor, true));
    }
    let conversion = Conversion { dtype, device, ..Conversion::default() };
    Ok((conversion.apply(data.py(), &tensor)?.unwrap_or(tensor), false))
}

/// Whether a tensor may live in an array's memory.
fn is_shareable(array: &Bound<'_, PyAny>) -> bool {
    Buffer::get(array).is_ok_and(|it| !it.is_read_only())
}

/// The array that `data` is, or says that it can be.
fn array_of<'py>(data: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Failure> {
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

fn cast(py: Python<'_>, tensor: Tensor, dtype: Option<DType>) -> Result<Tensor, Failure> {
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
