//! Tensors from data of Python, among which storages may be: copies, and tensors over the same memory.

use opwright_runtime::{DType, Device, Error, Tensor, default_dtype};
use pyo3::prelude::*;

use crate::construct::conversion::Conversion;
use crate::construct::{self, array_of, cast, is_shareable, memory_of};
use crate::interop::{dlpack, numpy};
use crate::object::foreign::is_foreign_tensor;
use crate::object::gil::detached;
use crate::object::{self, Failure};
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
    let storage = match object::tensor_of(data) {
        Some(_) => None,
        None => data.cast::<PyStorage>().ok(),
    };
    let Some(storage) = storage else { return construct::copy_of(data, dtype, device) };
    let tensor = cast(data.py(), elements(storage.get(), dtype)?, dtype)?;
    let tensor = detached(data.py(), tensor.numel(), || tensor.copy())?;
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
