//! `dtype`: one object per element type, the same each time.

use std::ptr;

use opwright_runtime::DType;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;

use crate::object::{Convert, Failure, Reading, foreign, package, type_name};

/// The type of a tensor's elements.
///
/// There is one object for each: `opwright.float32`, `opwright.int64`, ...
#[pyclass(frozen, name = "dtype", module = "opwright")]
pub struct PyDType(pub DType);

static OBJECTS: PyOnceLock<Vec<Py<PyDType>>> = PyOnceLock::new();

impl PyDType {
    /// The object of a dtype.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn object(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyDType>> {
        let make = || DType::ALL.into_iter().map(|it| Py::new(py, PyDType(it))).collect();
        let objects = OBJECTS.get_or_try_init::<_, PyErr>(py, make)?;
        // `ALL` is in the order of the enumeration.
        Ok(objects[dtype as usize].bind(py).clone())
    }

    /// The dtype of an object: of this class, or a Python type that stands for one.
    ///
    /// # Errors
    ///
    /// `TypeError` for any other object.
    pub fn read(object: &Bound<'_, PyAny>) -> PyResult<DType> {
        if let Ok(dtype) = object.cast::<PyDType>() {
            return Ok(dtype.get().0);
        }
        let stands_for: [(*mut PyTypeObject, DType); 4] = [
            (&raw mut ffi::PyFloat_Type, DType::Float64),
            (&raw mut ffi::PyLong_Type, DType::Int64),
            (&raw mut ffi::PyBool_Type, DType::Bool),
            (&raw mut ffi::PyComplex_Type, DType::Complex128),
        ];
        let found = stands_for.iter().find(|(class, _)| ptr::eq(class.cast(), object.as_ptr()));
        match found {
            Some((_, dtype)) => Ok(*dtype),
            None => PyDType::read_foreign(object),
        }
    }

    /// The dtype for one of numpy, or of another module of operators.
    #[cold]
    fn read_foreign(object: &Bound<'_, PyAny>) -> PyResult<DType> {
        foreign::dtype(object).ok_or_else(|| {
            PyTypeError::new_err(format!("expected a dtype, not {}", type_name(object)))
        })
    }
}

#[diagnostic::do_not_recommend]
impl Convert for DType {
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        Ok(PyDType::read(object)?)
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        Ok(PyDType::object(py, self)?.into_any())
    }
}

#[pymethods]
impl PyDType {
    /// What an instance is to other modules of operators.
    #[classattr]
    #[pyo3(name = "_opwright_kind")]
    const KIND: &'static str = "dtype";

    /// Whether this is a real floating-point type.
    #[getter]
    fn is_floating_point(&self) -> bool {
        self.0.is_floating()
    }

    /// Whether the elements have an imaginary part.
    #[getter]
    fn is_complex(&self) -> bool {
        self.0.is_complex_number()
    }

    /// Whether negative numbers can be represented.
    #[getter]
    fn is_signed(&self) -> bool {
        self.0.is_signed_number()
    }

    /// The number of bytes of an element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.0.size()
    }

    /// What numpy asks for: its dtype of the same elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let missing = || {
            let name = self.0.name();
            PyAttributeError::new_err(format!("numpy is not installed, or has no dtype {name}"))
        };
        let numpy = py.import("numpy").map_err(|_| missing())?;
        numpy.getattr("dtype")?.call1((self.0.name(),)).map_err(|_| missing())
    }

    /// The type of the parts of a complex type; any other is its own.
    fn to_real(&self, py: Python<'_>) -> PyResult<Py<PyDType>> {
        Ok(PyDType::object(py, self.0.to_real())?.unbind())
    }

    /// The complex type whose parts can hold this one.
    fn to_complex(&self, py: Python<'_>) -> PyResult<Py<PyDType>> {
        Ok(PyDType::object(py, self.0.to_complex())?.unbind())
    }

    fn __repr__(&self) -> String {
        format!("{}.{}", package::name(), self.0.name())
    }

    /// Pickled and copied by name, so that there is one object each.
    fn __reduce__(&self) -> &'static str {
        self.0.name()
    }
}

/// `float32`, and `float` beside it.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for dtype in DType::ALL {
        let object = PyDType::object(module.py(), dtype)?;
        if let Some(alias) = dtype.alias() {
            module.add(alias, &object)?;
        }
        module.add(dtype.name(), object)?;
    }
    Ok(())
}
