//! `Storage`: the memory that tensors share.

use opwright_runtime::Storage;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::package;
use crate::wrap::Wrap;

/// The bytes behind a tensor, which its views share.
///
/// Two storages are equal if they are the same memory.
#[pyclass(frozen, name = "Storage", module = "opwright")]
pub struct PyStorage(pub Storage);

#[pymethods]
impl PyStorage {
    /// The number of bytes.
    fn nbytes(&self) -> usize {
        self.0.bytes()
    }

    /// The number of bytes.
    fn size(&self) -> usize {
        self.0.bytes()
    }

    /// The address of the first byte.
    fn data_ptr(&self) -> usize {
        self.0.address()
    }

    fn __len__(&self) -> usize {
        self.0.bytes()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyStorage>().is_ok_and(|it| it.get().0.is_same(&self.0))
    }

    fn __hash__(&self) -> usize {
        self.0.address()
    }

    fn __repr__(&self) -> String {
        format!("<{}.Storage of {} bytes>", package::name(), self.0.bytes())
    }
}

impl Wrap for Storage {
    fn wrap(self, py: Python<'_>) -> Result<*mut pyo3::ffi::PyObject, Failure> {
        Ok(Py::new(py, PyStorage(self))?.into_ptr())
    }
}
