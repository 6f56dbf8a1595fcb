//! `ops.add.Tensor`: one overload, which takes its schema's own parameters.

use std::slice;

use opwright_runtime::op::Operator;
use opwright_runtime::resolve::OverloadSet;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::{body, signature};
use crate::args::{Call, Gathered};
use crate::call::shim;
use crate::call::target::Callee;
use crate::object::Failure;
use crate::raw::NewReference;

/// An overload of an operator: it takes the parameters of its schema by position or by their names,
/// `self` included, and no other overload is tried.
#[pyclass(frozen, name = "Overload", module = "opwright.ops")]
pub(crate) struct PyOverload {
    row: &'static Operator,
    function: &'static OverloadSet,
}

impl PyOverload {
    pub(super) fn new(row: &'static Operator) -> PyOverload {
        PyOverload { row, function: signature::function(row.name, slice::from_ref(row)) }
    }

    /// What it is called by.
    pub(crate) fn row(&self) -> &'static Operator {
        self.row
    }
}

impl Callee for &Bound<'_, PyOverload> {
    fn function(self) -> &'static OverloadSet {
        self.get().function
    }

    fn body(self, call: &mut Call<'_, '_>) -> Result<NewReference, Failure> {
        body::run(call, self.get().row)
    }

    fn row(self, _: usize) -> Option<&'static Operator> {
        Some(self.get().row)
    }

    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(self.clone().unbind().into_bound(py).into_any())
    }
}

/// The name of an overload among the attributes of its operator.
pub(super) fn name_of(row: &Operator) -> &'static str {
    match row.parts().1 {
        "" => "default",
        name => name,
    }
}

#[pymethods]
impl PyOverload {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        this: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        shim::call(this.py(), this, &Gathered::new(args, kwargs).passed(None))
    }

    /// `add.Tensor`; without the name of the overload if it has none: `relu`.
    #[getter]
    fn name(&self) -> &'static str {
        self.row.name
    }

    /// The name among the overloads of the operator: `Tensor`; `default` if it has none.
    #[getter]
    fn overload(&self) -> &'static str {
        name_of(self.row)
    }

    /// The schema.
    #[getter]
    fn schema(&self) -> &'static str {
        self.row.schema
    }

    /// What its entry says of it in single words, such as `pointwise`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.row.tags)
    }

    /// Whether a result shares the memory of an argument without having been written to.
    #[getter]
    fn is_view(&self) -> bool {
        self.row.is_view()
    }

    /// Whether it writes to an argument.
    #[getter]
    fn mutates(&self) -> bool {
        self.row.mutates()
    }

    /// What becomes of its gradients: `formula`, `composed` of operators that are recorded in its
    /// place, `not implemented`, or `none`.
    #[getter]
    fn gradient(&self) -> &'static str {
        self.row.gradient.name()
    }

    #[getter]
    fn __name__(&self) -> String {
        format!("{}.{}", self.row.parts().0, name_of(self.row))
    }

    #[getter]
    fn __qualname__(&self) -> String {
        self.__name__()
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(signature::inspected(py, self.row)?)
    }

    fn __repr__(&self) -> String {
        format!("<overload {}>", self.row.schema)
    }

    /// Pickled and copied by name, so that there is one object.
    fn __reduce__(&self) -> String {
        self.__name__()
    }
}
