//! `dtype`: one object per element type, the same each time.

use std::ptr;

use opwright_runtime::DType;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::ffi::{self, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyModule, PyString, PyType};

use super::spelling;
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

    /// The dtype of an object: of this class, a Python type that stands for one, one of numpy, or
    /// a text that spells one.
    ///
    /// # Errors
    ///
    /// `TypeError` for any other object.
    pub fn read(object: &Bound<'_, PyAny>) -> PyResult<DType> {
        PyDType::find(object).ok_or_else(|| {
            let text = object.cast::<PyString>().ok().and_then(|it| it.repr().ok());
            let text = text.map_or_else(String::new, |it| format!(" ({it})"));
            PyTypeError::new_err(format!("expected a dtype, not {}{text}", type_name(object)))
        })
    }

    /// The same, without a reason if there is none.
    fn find(object: &Bound<'_, PyAny>) -> Option<DType> {
        PyDType::find_own(object).or_else(|| PyDType::find_foreign(object))
    }

    /// The dtype of an object of this class, or of a Python type that stands for one.
    fn find_own(object: &Bound<'_, PyAny>) -> Option<DType> {
        if let Ok(dtype) = object.cast::<PyDType>() {
            return Some(dtype.get().0);
        }
        let stands_for: [(*mut PyTypeObject, DType); 4] = [
            (&raw mut ffi::PyFloat_Type, DType::Float64),
            (&raw mut ffi::PyLong_Type, DType::Int64),
            (&raw mut ffi::PyBool_Type, DType::Bool),
            (&raw mut ffi::PyComplex_Type, DType::Complex128),
        ];
        let found = stands_for.iter().find(|(class, _)| ptr::eq(class.cast(), object.as_ptr()));
        found.map(|(_, dtype)| *dtype)
    }

    /// The dtype for one of numpy, of another module of operators, or for a text.
    #[cold]
    fn find_foreign(object: &Bound<'_, PyAny>) -> Option<DType> {
        spelling::of_object(object).or_else(|| foreign::dtype(object))
    }

    /// numpy's dtype of the same elements.
    fn of_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let missing = || {
            let name = self.0.name();
            PyAttributeError::new_err(format!("numpy is not installed, or has no dtype {name}"))
        };
        let numpy = py.import("numpy").map_err(|_| missing())?;
        numpy.getattr("dtype")?.call1((self.0.name(),)).map_err(|_| missing())
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

    /// The name, which is numpy's, too: `"float32"`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The letter of its kind in numpy: `b` of truth values, `i` and `u` of integers with a sign
    /// and without, `f` of real and `c` of complex numbers, `V` of `bfloat16`, which numpy does not
    /// have.
    #[getter]
    fn kind(&self) -> char {
        spelling::kind(self.0)
    }

    /// How numpy writes it with its order of bytes: `"<f4"`.
    #[getter(str)]
    fn with_byte_order(&self) -> String {
        spelling::with_byte_order(self.0)
    }

    /// numpy's class of single elements: `numpy.float32`.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_numpy(py)?.getattr("type")
    }

    /// What numpy asks for: its dtype of the same elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.of_numpy(py)
    }

    /// Whether elements are references to objects of Python: no dtype has such.
    #[classattr]
    #[pyo3(name = "hasobject")]
    const HAS_OBJECT: bool = false;

    /// The names of fields: no dtype has any.
    #[classattr]
    #[pyo3(name = "names")]
    const FIELD_NAMES: Option<&'static str> = None;

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

    /// Whether the other object is this dtype, or stands for it: numpy's dtype, a Python type, a
    /// text.
    ///
    /// Not numpy's classes of single elements: `numpy.isdtype` looks whether a dtype is equal to one
    /// of them, and then in a set of them, where it would be found to be of no kind at all.
    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        let py = other.py();
        let foreign = || match other.is_instance_of::<PyType>() {
            true => None,
            false => PyDType::find_foreign(other),
        };
        match PyDType::find_own(other).or_else(foreign) {
            Some(dtype) => PyBool::new(py, dtype == self.0).to_owned().into_any(),
            None => py.NotImplemented().into_bound(py),
        }
    }

    /// Of the dtype alone: what only stands for it is another key of a dictionary.
    fn __hash__(&self) -> usize {
        ptr::from_ref(self).addr()
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
