//! Tensors from Python objects: numbers, nested sequences, arrays, tensors.

pub(super) mod constructor;
mod fill;
mod leaf;
mod position;
mod rows;
mod survey;

use opwright_runtime::{DType, Device, Error, Tensor, default_dtype};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use self::leaf::Leaf;
use self::rows::Rows;
use super::convert::Conversion;
use crate::interop::{dlpack, import, numpy};
use crate::object::foreign::is_foreign_tensor;
use crate::object::gil::detached;
use crate::object::{self, Failure, operators};
use crate::raw::{Buffer, is_buffer};
use crate::storage::PyStorage;

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
    let tensor = if let Ok(storage) = data.cast::<PyStorage>() {
        let tensor = cast(py, elements(storage.get(), dtype)?, dtype)?;
        detached(py, tensor.numel(), || tensor.copy())?
    } else if is_foreign_tensor(data) {
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
    let mut is_copy = false;
    let shared = match object::tensor_of(data).cloned() {
        Some(tensor) => Some(tensor),
        None if data.is_instance_of::<PyStorage>() => {
            Some(elements(data.cast::<PyStorage>().map_err(PyErr::from)?.get(), dtype)?)
        }
        None if is_foreign_tensor(data) => Some(dlpack::tensor(data)?),
        None => match array_of(data)? {
            Some(array) if is_shareable(&array) => Some(numpy::from_array(&array)?),
            Some(_) => None,
            None => memory_of(data)?.map(|(tensor, is_read_only)| {
                is_copy = is_read_only;
                tensor
            }),
        },
    };
    let Some(tensor) = shared else {
        return Ok((copy_of(data, dtype, device)?, false));
    };
    let same = dtype.is_none_or(|it| it == tensor.dtype())
        && device.is_none_or(|it| it == tensor.device());
    if same {
        return Ok((tensor, !is_copy));
    }
    let conversion = Conversion { dtype, device, ..Conversion::default() };
    Ok((conversion.apply(data.py(), &tensor)?.unwrap_or(tensor), false))
}

/// The elements of a storage where they are; bytes are those of a dtype, or of the default one.
fn elements(storage: &PyStorage, dtype: Option<DType>) -> Result<Tensor, Failure> {
    let bytes_as = || dtype.unwrap_or_else(default_dtype);
    let dtype = storage.elements().unwrap_or_else(bytes_as);
    let bytes = storage.range().bytes;
    if !bytes.is_multiple_of(dtype.size()) {
        let text = format_args!(
            "the {bytes} bytes of the storage are no whole number of {dtype} elements"
        );
        return Err(Error::value(text).into());
    }
    storage.tensor_as(dtype)
}

/// A tensor over the memory of an object with a buffer, such as a `memoryview` or an `array.array`,
/// and false; of read-only memory, over a copy, and true. Nothing of elements that no dtype is for,
/// and of `bytes`, which are text to many.
fn memory_of(data: &Bound<'_, PyAny>) -> Result<Option<(Tensor, bool)>, Failure> {
    let is_buffer = is_buffer(data) && !data.is_instance_of::<PyBytes>();
    if is_buffer && Buffer::get(data).is_ok_and(|it| it.dtype().is_some()) {
        return import::view(data).map(Some);
    }
    Ok(None)
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
