//! Tensors as bytes and back, for `pickle`.

use opwright_runtime::{DType, Tensor};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::guard::{as_exception, detached, with_python};
use super::object;
use crate::failure::Failure;
use crate::interop::import;
use crate::tables::Methods;
use crate::types::PyDType;
use crate::{classes, method};

/// The entries of the table of methods.
pub(super) static ENTRIES: Methods<1> = Methods([method::alone(
    c"_bytes",
    bytes,
    c"_bytes($self, /)\n--\n\n\
      The bytes of the elements in row-major order, as a tensor; of a contiguous tensor the memory \
      itself.",
)]);

unsafe extern "C" fn bytes(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        with_python("_bytes", object, |py, tensor| {
            let compact = detached(py, tensor.count(), || tensor.to_contiguous())?;
            let flat = compact.reshaped(&[compact.count() as i64])?;
            Ok(object::wrap(py, flat.reinterpreted(DType::UInt8)?)?.unbind())
        })
    }
}

/// What `pickle` calls to make a tensor again; on the meta device without `data`.
#[pyfunction(name = "_rebuild")]
pub(super) fn rebuild<'py>(
    class: &Bound<'py, PyType>,
    data: Option<&Bound<'py, PyAny>>,
    dtype: &Bound<'py, PyAny>,
    shape: Vec<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    if !class.is_subclass(&classes::TENSOR_BASE.bind(py))? {
        return Err(pyo3::exceptions::PyTypeError::new_err("expected a class of tensors"));
    }
    let tensor = from_bytes(data, PyDType::read(dtype)?, &shape)
        .map_err(|it| as_exception("_rebuild", it))?;
    // SAFETY: the class is derived from the native one; the GIL is held.
    unsafe { Bound::from_owned_ptr_or_err(py, object::new_of(class.as_type_ptr(), tensor)) }
}

fn from_bytes(
    data: Option<&Bound<'_, PyAny>>,
    dtype: DType,
    shape: &[i64],
) -> Result<Tensor, Failure> {
    match data {
        None => Ok(Tensor::allocate(shape, dtype, opwright_runtime::Device::Meta)?),
        Some(data) => Ok(import::bytes_as(data, dtype, -1, 0)?.reshaped(shape)?),
    }
}
