//! Tensors as bytes and back, for `pickle`.

use opwright_runtime::{DType, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::interop::export::bytes_of;
use crate::interop::import;
use crate::object::gil::detached;
use crate::object::trampoline::{as_exception, with_python};
use crate::object::{self, Convert, Failure, Object, operators};
use crate::raw::method::{self, Methods};
use crate::raw::{Lent, New, Unused, entry};
use crate::storage::{PyStorage, canonical};
use crate::types::PyDType;

/// The entries of the table of methods.
pub(super) static ENTRIES: Methods<1> = Methods([method::alone(
    c"__bytes__",
    bytes,
    c"__bytes__($self, /)\n--\n\nThe bytes of the elements in row-major order.",
)]);

entry! {
    /// Without it, `bytes` would take a tensor of one integer for a number of zeros.
    fn bytes(py, tensor: Lent<Object>, _none: Unused) -> New {
        with_python("bytes", tensor, |tensor| {
            let compact = detached(py, tensor.numel(), || operators::contiguous(&tensor))?;
            Ok(bytes_of(py, &compact)?.into_any())
        })
    }
}

/// What stands for a tensor in a pickle: its storage, its dtype, and where in
/// the storage its elements are.
#[pyfunction(name = "_parts")]
pub(super) fn parts<'py>(tensor: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let py = tensor.py();
    let Some(it) = object::tensor_of(tensor).cloned() else {
        return Err(PyTypeError::new_err("expected a tensor"));
    };
    let storage = it.storage().cloned().map(|it| canonical(py, it)).transpose()?;
    let dtype = PyDType::object(py, it.dtype())?;
    let numbers = |of: &[i64]| PyTuple::new(py, of);
    (storage, dtype, numbers(it.shape())?, numbers(it.strides())?, it.offset()).into_pyobject(py)
}

/// A deep copy of a plain tensor that is all of its memory, of which there is no other handle; nothing
/// of one that has more to be copied, or shares what it has.
#[pyfunction(name = "_copy_alone")]
pub(super) fn copy_alone<'py>(
    py: Python<'py>,
    tensor: &Bound<'py, PyAny>,
) -> Result<Option<Bound<'py, PyAny>>, Failure> {
    let Some(object) = object::exact(tensor.as_borrowed()) else { return Ok(None) };
    let it = object::peek(object);
    let is_whole = it.storage().is_some_and(|all| all.bytes() == it.numel() * it.dtype().size());
    let has_more = object::has_attributes(object) || operators::has_layers(it);
    if !is_whole || !it.is_contiguous() || has_more || it.grad().is_some() || !it.is_unique() {
        return Ok(None);
    }
    let it = it.clone();
    detached(py, it.numel(), || it.copy())?.object(py).map(Some)
}

/// What `pickle` calls to make a tensor again.
#[pyfunction(name = "_rebuild_view")]
pub(super) fn rebuild_view<'py>(
    class: &Bound<'py, PyType>,
    storage: &Bound<'py, PyStorage>,
    dtype: &Bound<'py, PyAny>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    offset: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = PyDType::read(dtype)?;
    let tensor = Tensor::over_storage(storage.get().storage(), dtype, &shape, &strides, offset);
    instance(class, tensor.map_err(Failure::from))
}

/// What older pickles call, which have the elements of each tensor, and those
/// of tensors on the meta device, without `data`.
#[pyfunction(name = "_rebuild")]
pub(super) fn rebuild<'py>(
    class: &Bound<'py, PyType>,
    data: Option<&Bound<'py, PyAny>>,
    dtype: &Bound<'py, PyAny>,
    shape: Vec<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    instance(class, from_bytes(data, PyDType::read(dtype)?, &shape))
}

/// A tensor as an instance of a class of tensors.
fn instance<'py>(
    class: &Bound<'py, PyType>,
    tensor: Result<Tensor, Failure>,
) -> PyResult<Bound<'py, PyAny>> {
    object::of_class(class, tensor.map_err(|it| as_exception("_rebuild", it))?)
}

fn from_bytes(
    data: Option<&Bound<'_, PyAny>>,
    dtype: DType,
    shape: &[i64],
) -> Result<Tensor, Failure> {
    match data {
        None => Ok(Tensor::allocate(shape, dtype, opwright_runtime::Device::Meta)?),
        Some(data) => Ok(operators::reshape(&import::bytes_as(data, dtype, -1, 0)?, shape)?),
    }
}
