//! `Storage`: the memory that tensors share.

use opwright_runtime::{DType, Error, Storage, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::convert::{Convert, Reading};
use crate::failure::Failure;
use crate::interop::import;
use crate::package;
use crate::tensor::guard::detached;
use crate::tensor::object;
use crate::tensor::pickle::bytes_of;

/// The bytes behind a tensor, which its views share.
///
/// Two storages are equal if they are the same memory. A pickle or a deep copy
/// has each object once, and with it the memory.
#[pyclass(frozen, weakref, name = "Storage", module = "opwright")]
pub struct PyStorage(pub Storage);

/// What the addresses of all elements may have to be multiples of.
const LARGEST_ALIGNMENT: usize = 8;

/// What makes a storage again.
type Reduced<'py> = (Bound<'py, PyType>, (Bound<'py, PyAny>,));

impl PyStorage {
    /// All bytes as a tensor.
    fn tensor(&self) -> Result<Tensor, Failure> {
        Ok(Tensor::over_storage(&self.0, DType::UInt8, &[self.0.bytes() as i64], &[1], 0)?)
    }

    fn of(tensor: &Tensor) -> Result<PyStorage, Failure> {
        let none = || Error::runtime("the bytes are not in main memory").into();
        tensor.storage().cloned().map(PyStorage).ok_or_else(none)
    }
}

#[pymethods]
impl PyStorage {
    /// The bytes of an object with a buffer; the memory itself, if it can be
    /// written to and any element can begin where it does.
    #[new]
    fn new(buffer: &Bound<'_, PyAny>) -> Result<PyStorage, Failure> {
        let bytes = import::bytes_as(buffer, DType::UInt8, -1, 0)?;
        let tensor = match bytes.data_ptr().addr().is_multiple_of(LARGEST_ALIGNMENT) {
            true => bytes,
            false => bytes.copy()?,
        };
        PyStorage::of(&tensor)
    }

    /// A storage of its own, which the caller's memo finds again.
    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Result<PyStorage, Failure> {
        let tensor = self.tensor()?;
        PyStorage::of(&detached(py, tensor.numel(), || tensor.copy())?)
    }

    /// The bytes, which protocol 5 need not copy.
    fn __reduce_ex__<'py>(
        slf: &Bound<'py, PyStorage>,
        protocol: i64,
    ) -> Result<Reduced<'py>, Failure> {
        let py = slf.py();
        let tensor = slf.get().tensor()?;
        let data = if protocol >= 5 {
            let tensor = object::wrap(py, tensor)?;
            py.import("pickle")?.call_method1("PickleBuffer", (tensor,))?
        } else {
            bytes_of(py, &tensor)?.into_any()
        };
        Ok((slf.get_type(), (data,)))
    }

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

impl Convert for Storage {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(object.cast::<PyStorage>()?.get().0.clone())
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(Bound::new(py, PyStorage(self))?.into_any())
    }
}
