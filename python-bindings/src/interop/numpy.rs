//! numpy: arrays over tensors, and tensors over arrays.
//!
//! numpy is not needed until somebody asks for an array; then both share
//! memory by the buffer protocol.

use opwright_runtime::{DType, Error, ErrorKind, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyMemoryView, PyType};

use super::dlpack;
use super::import::unsupported;
use crate::object::foreign::is_foreign_tensor;
use crate::object::gil::detached;
use crate::object::{self, Failure, type_name};
use crate::raw::{self, Buffer};

static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The class of arrays, if numpy is imported: otherwise nobody has an array.
fn array_class(py: Python<'_>) -> Option<&Bound<'_, PyType>> {
    if let Some(class) = ARRAY.get(py) {
        return Some(class.bind(py));
    }
    let numpy = raw::imported(py, c"numpy")?;
    let class = numpy.getattr("ndarray").ok()?.cast_into::<PyType>().ok()?;
    Some(ARRAY.get_or_init(py, || class.unbind()).bind(py))
}

/// Whether `object` is a numpy array.
pub(crate) fn is_array(object: &Bound<'_, PyAny>) -> bool {
    let class = array_class(object.py());
    class.is_some_and(|class| object.is_instance(class).unwrap_or(false))
}

/// The dtype of an array whose elements no tensor can have.
#[cold]
pub(crate) fn unsupported_dtype(array: &Bound<'_, PyAny>) -> Option<String> {
    get(array).is_err().then(|| dtype_of(array))
}

fn dtype_of(array: &Bound<'_, PyAny>) -> String {
    array.getattr("dtype").map_or_else(|_| "unknown".to_owned(), |it| it.to_string())
}

/// An array over the memory of a tensor.
///
/// # Errors
///
/// `TypeError` if numpy has no such dtype or the tensor has no elements to
/// share, `ImportError` if numpy is not installed.
pub(crate) fn array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tensor = object::tensor_of(object);
    if let Some(tensor) = tensor {
        if tensor.dtype() == DType::BFloat16 {
            return Err(PyTypeError::new_err(
                "numpy has no bfloat16; convert the tensor first, for instance with .float(), or \
                 use .numpy(force=True)",
            ));
        }
        if tensor.device().is_meta() {
            return Err(PyTypeError::new_err("a meta tensor has no elements for a numpy array"));
        }
    }
    // Not `object` itself, whose `__array__` would be asked if this failed.
    let memory = PyMemoryView::from(object)?;
    ASARRAY.import(object.py(), "numpy", "asarray")?.call1((memory,))
}

/// A tensor over the memory of an array; of a read-only one, over a copy.
///
/// # Errors
///
/// `TypeError` for other objects and for elements that we have no dtype for,
/// `ValueError` for elements that are not aligned.
pub(crate) fn from_array(object: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
    if !is_array(object) {
        return Err(Error::wrong_type(format_args!(
            "argument 'ndarray' must be numpy.ndarray, not {}",
            type_name(object)
        ))
        .into());
    }
    Ok(view(object)?.0)
}

/// A tensor over the memory of an array, and false; of a read-only one, over a
/// copy, and true.
///
/// # Errors
///
/// As for [`from_array`], but for other objects.
pub(crate) fn view(array: &Bound<'_, PyAny>) -> Result<(Tensor, bool), Failure> {
    let buffer = get(array)?;
    let is_read_only = buffer.is_read_only();
    let tensor = buffer.tensor()?;
    let tensor = match is_read_only {
        true => detached(array.py(), tensor.numel(), || tensor.copy())?,
        false => tensor,
    };
    Ok((tensor, is_read_only))
}

/// A tensor with a copy of the elements of an array.
///
/// # Errors
///
/// As for [`from_array`].
pub(crate) fn copy_array(object: &Bound<'_, PyAny>) -> Result<Tensor, Failure> {
    let buffer = get(object)?;
    let tensor = match buffer.tensor() {
        Ok(tensor) => tensor,
        // A packed record, for instance: numpy can copy what we cannot view.
        Err(Failure::Op(error)) if error.kind() == ErrorKind::Value => {
            return get(&object.call_method0("copy")?)?.tensor();
        }
        Err(failure) => return Err(failure),
    };
    Ok(detached(object.py(), tensor.numel(), || tensor.copy())?)
}

/// The operands of an operator with arrays, and tensors of other modules, as
/// tensors; nothing if there is none.
///
/// # Errors
///
/// As for [`copy_array`].
#[cold]
pub(crate) fn operands<'py>(
    operands: &[Bound<'py, PyAny>],
) -> Result<Option<Vec<Bound<'py, PyAny>>>, Failure> {
    if !operands.iter().any(|it| is_array(it) || is_foreign_tensor(it)) {
        return Ok(None);
    }
    let convert = |it: &Bound<'py, PyAny>| {
        let tensor = if is_array(it) {
            from_array(it)?
        } else if is_foreign_tensor(it) {
            dlpack::tensor(it)?
        } else {
            return Ok(it.clone());
        };
        Ok::<_, Failure>(object::wrap(it.py(), tensor)?)
    };
    operands.iter().map(convert).collect::<Result<Vec<_>, _>>().map(Some)
}

/// The memory of an array of a supported dtype.
fn get(object: &Bound<'_, PyAny>) -> Result<Buffer, Failure> {
    // Some dtypes, such as dates, have no format at all.
    let buffer = Buffer::get(object).map_err(|_| unsupported(&dtype_of(object)))?;
    if buffer.dtype().is_none() {
        return Err(unsupported(&dtype_of(object)).into());
    }
    Ok(buffer)
}
