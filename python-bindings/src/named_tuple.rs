//! The classes of results that have names: `collections.namedtuple`, made on first use.

use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::failure::Failure;
use crate::package;
use crate::wrap::Wrap;

/// A class of results, in the generated tables.
pub struct NamedTuple {
    name: &'static str,
    fields: &'static [&'static str],
    class: PyOnceLock<Py<PyAny>>,
}

impl NamedTuple {
    /// The class `name` with these fields.
    pub const fn new(name: &'static str, fields: &'static [&'static str]) -> NamedTuple {
        NamedTuple { name, fields, class: PyOnceLock::new() }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The Python class.
    ///
    /// # Errors
    ///
    /// Whatever `collections.namedtuple` raises.
    pub fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        self.class.get_or_try_init(py, || self.make(py)).map(|it| it.bind(py))
    }

    fn make(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let keywords = PyDict::new(py);
        keywords.set_item("module", format!("{}.return_types", package::name()))?;
        let make = py.import("collections")?.getattr("namedtuple")?;
        let fields = PyTuple::new(py, self.fields)?;
        Ok(make.call((self.name, fields), Some(&keywords))?.unbind())
    }

    /// A result as an instance.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn wrap<T: Wrap>(&self, py: Python<'_>, values: T) -> Result<*mut PyObject, Failure> {
        // SAFETY: `wrap` returns a new reference, here to a tuple.
        let values = unsafe { Bound::from_owned_ptr(py, values.wrap(py)?).cast_into_unchecked() };
        self.named(&values)
    }

    /// The same for a tuple of objects.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn named(&self, values: &Bound<'_, PyTuple>) -> Result<*mut PyObject, Failure> {
        let py = values.py();
        let class = self.class(py)?.as_ptr().cast::<PyTypeObject>();
        // SAFETY: the class is derived from tuples and adds nothing to them; its instance is new
        // and has as many places as there are values.
        unsafe {
            let count = values.len() as ffi::Py_ssize_t;
            let named = ffi::PyType_GenericAlloc(class, count);
            let named = Bound::from_owned_ptr_or_err(py, named)?;
            for (at, value) in values.iter().enumerate() {
                ffi::PyTuple_SetItem(named.as_ptr(), at as ffi::Py_ssize_t, value.into_ptr());
            }
            Ok(named.into_ptr())
        }
    }
}
