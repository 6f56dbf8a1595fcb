//! `ops.add`: an operator, which knows its overloads.

use opwright_runtime::op::Operator;
use opwright_runtime::resolve::{OverloadSet, nearest};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use super::overload::{PyOverload, name_of};
use super::{body, signature};
use crate::args::{Call, Gathered};
use crate::call::shim;
use crate::call::target::Callee;
use crate::object::Failure;
use crate::raw::NewReference;

/// An operator: its overloads are its attributes. Called, it runs the first of them that takes the
/// arguments, in the order of their declaration.
#[pyclass(frozen, name = "Operator", module = "opwright.ops")]
pub(crate) struct PyOperator {
    rows: &'static [Operator],
    made: Vec<PyOnceLock<Py<PyOverload>>>,
    function: &'static OverloadSet,
}

impl PyOperator {
    /// The operator of these rows, of which there is one at least.
    pub(super) fn new(rows: &'static [Operator]) -> PyOperator {
        let made = rows.iter().map(|_| PyOnceLock::new()).collect();
        PyOperator { rows, made, function: signature::function(rows[0].parts().0, rows) }
    }
}

impl Callee for &Bound<'_, PyOperator> {
    fn function(self) -> &'static OverloadSet {
        self.get().function
    }

    fn body(self, call: &mut Call<'_, '_>) -> Result<NewReference, Failure> {
        body::run(call, &self.get().rows[call.overload()])
    }

    fn row(self, overload: usize) -> Option<&'static Operator> {
        Some(&self.get().rows[overload])
    }

    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(self.clone().unbind().into_bound(py).into_any())
    }
}

#[pymethods]
impl PyOperator {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        this: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        shim::call(this.py(), this, &Gathered::new(args, kwargs).passed(None))
    }

    /// An overload by its name.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyOverload>> {
        let Some(at) = self.rows.iter().position(|it| name_of(it) == name) else {
            return Err(self.unknown(name));
        };
        let make = || Py::new(py, PyOverload::new(&self.rows[at]));
        Ok(self.made[at].get_or_try_init(py, make)?.bind(py).clone())
    }

    fn __dir__<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let own = this.py().import("builtins")?.getattr("object")?;
        let mut names: Vec<String> = own.call_method1("__dir__", (this,))?.extract()?;
        names.extend(this.get().rows.iter().map(|it| name_of(it).to_owned()));
        names.sort_unstable();
        Ok(names)
    }

    /// `add`.
    #[getter]
    fn name(&self) -> &'static str {
        self.rows[0].parts().0
    }

    /// The names of the overloads, in the order of their declaration.
    #[getter]
    fn overloads<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.rows.iter().map(name_of))
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.name()
    }

    fn __repr__(&self) -> String {
        let overloads: Vec<&str> = self.rows.iter().map(name_of).collect();
        format!("<operator {}: {}>", self.name(), overloads.join(", "))
    }

    /// Pickled and copied by name, so that there is one object.
    fn __reduce__(&self) -> &'static str {
        self.name()
    }
}

impl PyOperator {
    #[cold]
    fn unknown(&self, name: &str) -> PyErr {
        let near = nearest(name, self.rows.iter().map(name_of));
        let hint = near.map_or_else(String::new, |it| format!("; did you mean '{it}'?"));
        let operator = self.name();
        PyAttributeError::new_err(format!("'{operator}' has no overload '{name}'{hint}"))
    }
}

/// The operators of a module: tables, each sorted by base names.
pub(super) type Tables = [&'static [Operator]];

/// The row of an operator that was defined at run time.
#[cfg(feature = "jit")]
pub(crate) use super::defined::find as find_defined;

/// Without schemas at run time none is defined.
#[cfg(not(feature = "jit"))]
pub(crate) fn find_defined(_: &str) -> Option<&'static Operator> {
    None
}
