//! The classes of results that have names: `collections.namedtuple`, made on first use.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::convert::Convert;
use super::failure::Failure;
use super::package;
use crate::raw::{self, NewReference};

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

    /// The names of its fields.
    pub fn fields(&self) -> &'static [&'static str] {
        self.fields
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
    pub fn wrap<T: Convert>(&self, py: Python<'_>, values: T) -> Result<NewReference, Failure> {
        let values = values.object(py)?.cast_into::<PyTuple>().map_err(PyErr::from)?;
        self.named(&values)
    }

    /// The same for a tuple of objects.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn named(&self, values: &Bound<'_, PyTuple>) -> Result<NewReference, Failure> {
        let py = values.py();
        let class = self.class(py)?.cast::<PyType>()?;
        let elements = values.iter().map(Ok);
        // SAFETY: `namedtuple` makes classes in Python, which add nothing to tuples; the elements of
        // a tuple are only counted.
        let made = unsafe { raw::tuple_instance(class, values.len(), elements)? };
        Ok(made.into())
    }
}
