//! Methods of variables: those of tensors, and what variables have of their own.

use std::ffi::CString;

use opwright_graph::Variable;
use opwright_runtime::reserve;
use opwright_runtime::types::{ListType, TensorType};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PyModule, PyTuple};
use pyo3::{IntoPyObjectExt, ffi};

use super::{Handover, PyVariable, VARIABLE, no_value, object, rank};
use crate::args::Gathered;
use crate::call::shim;
use crate::call::tables::Tables;
use crate::call::target::Target;
use crate::graph::apply::PyApply;
use crate::graph::boxing::{emit, type_object, type_ref};
use crate::graph::{call_site, index, method_proxy, rows, tensor_members};
use crate::object::failure::exception;
use crate::object::{Convert, classes};
use crate::raw::Spec;

/// Makes the class: the operators of the language are those of tensors.
///
/// # Errors
///
/// Whatever the interpreter raises.
pub(in crate::graph) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let py = module.py();
    let name = CString::new(format!("{}.Variable", crate::object::package::name()))?;
    let operators = tables.slots.iter().filter(|it| it.id != ffi::Py_tp_richcompare);
    let slots = operators.map(|it| Spec::slot(it.id, it.function)).collect();
    let spec = Spec { name, size: 0, flags: ffi::Py_TPFLAGS_BASETYPE, slots };
    let base = py.get_type::<PyVariable>();
    // SAFETY: the slots are functions that take any objects as operands, each beside its id, and
    // instances are those of the base.
    let class = unsafe { spec.make(py, None, Some(&base))? };
    class.setattr("__array_ufunc__", py.None())?;
    VARIABLE.set(&class);
    module.add("Variable", class)
}

/// A method of tensors, for variables.
struct Method(&'static Target);

impl Method {
    /// Calls it on a variable.
    fn call<'py>(
        &self,
        variable: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let receiver = method_proxy::of(variable)?;
        let known = crate::object::known(receiver.as_borrowed());
        shim::call(variable.py(), self.0, &Gathered::new(args, kwargs).passed(known))
    }
}

/// The method of a name.
///
/// # Errors
///
/// `AttributeError` if tensors have none.
fn method(name: &str) -> PyResult<Method> {
    rows::method(name).map(Method).ok_or_else(|| {
        PyAttributeError::new_err(format!("a variable has no attribute or method '{name}'"))
    })
}

/// A method of tensors that is written in Python for a native one.
fn written_in_python<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(found) = classes::TENSOR.bind(py).getattr_opt(name)? else { return Ok(None) };
    let is_written = found.getattr_opt("_native")?.is_some();
    Ok(is_written.then_some(found))
}

/// A method that is bound to a variable.
#[pyclass(frozen, name = "VariableMethod")]
struct BoundMethod {
    variable: Py<PyAny>,
    target: &'static Target,
}

#[pymethods]
impl BoundMethod {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Method(self.target).call(self.variable.bind(py), args, kwargs)
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.target.function.name
    }
}

#[pymethods]
impl PyVariable {
    #[new]
    #[pyo3(signature = (r#type, name = None))]
    fn new(r#type: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<PyVariable> {
        if let Ok(it) = r#type.cast::<Handover>() {
            return Ok(PyVariable { variable: it.get().0.clone() });
        }
        reserve::check().map_err(|it| exception(&it))?;
        Ok(PyVariable { variable: Variable::new(type_ref(r#type)?, name) })
    }

    /// The type.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        type_object(py, self.variable.ty())
    }

    /// The name, if it has one.
    #[getter]
    fn name(&self) -> Option<String> {
        self.variable.label().name().map(|it| it.to_string())
    }

    #[setter]
    fn set_name(&self, name: Option<&str>) {
        self.variable.label().rename(name);
    }

    /// The node that it is a result of.
    #[getter]
    fn owner<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.variable.owner().map(|(node, _)| PyApply::object(py, node)).transpose()
    }

    /// Which of the node's results it is.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.variable.owner().map(|(_, index)| index)
    }

    /// The dtype of its elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let dtype = self.variable.ty().element();
        let dtype = dtype.ok_or_else(|| {
            PyAttributeError::new_err(format!("values of {} have no dtype", self.variable.ty()))
        })?;
        Ok(dtype.object(py)?)
    }

    /// How many dimensions it has.
    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        rank(&self.variable)
    }

    /// The variable on another device: itself, or what a function of `types.register_transfer`
    /// makes of it.
    fn transfer<'py>(
        this: &Bound<'py, Self>,
        target: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let types = crate::object::package::load(this.py(), "types")?;
        types.getattr("transfer")?.call1((this, target))
    }

    /// Its value, where those of the variables that it depends on are as `inputs` says.
    #[pyo3(signature = (inputs = None, **options))]
    fn eval<'py>(
        this: &Bound<'py, Self>,
        inputs: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let evaluate =
            crate::object::package::load(this.py(), "graph._evaluation")?.getattr("evaluate")?;
        evaluate.call((this, inputs), options)
    }

    /// The value of a constant.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.variable.as_constant().ok_or_else(|| no_value(&self.variable, "data"))?;
        emit(py, self.variable.ty(), value.clone())
    }

    fn __getattr__<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        if name.starts_with("__") {
            return Err(PyAttributeError::new_err(name.to_owned()));
        }
        let own = this.borrow().variable.clone();
        if own.ty().attribute(name).is_some()
            && let Some(part) = opwright_graph::attribute(&own, name, call_site::current(py))
        {
            return object(py, part);
        }
        if let Some(found) = tensor_members::attribute(this.as_any(), name)? {
            return Ok(found);
        }
        if let Some(function) = written_in_python(py, name)? {
            return function.call_method1("__get__", (this,));
        }
        let variable = this.as_any().clone().unbind();
        match rows::method(name) {
            Some(target) => Ok(Bound::new(py, BoundMethod { variable, target })?.into_any()),
            None => tensor_members::of_values(this.as_any(), name),
        }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._pickling")?
            .getattr("reduced")?
            .call1((this,))
    }

    /// A picture of what it is computed from, unless that is too large for one.
    fn _repr_svg_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._printing")?
            .getattr("svg_of_notebooks")?
            .call1((this,))
    }

    /// The same on white, which lines need on dark pages.
    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._printing")?
            .getattr("html_of_notebooks")?
            .call1((this,))
    }

    fn __getitem__<'py>(
        this: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        index::get(this.as_any(), key)
    }

    fn __setitem__(&self, _key: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "variables are not written to; graph.set_item(x, key, value) makes a new one",
        ))
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let variable = this.borrow().variable.clone();
        if let Some(len) = variable.ty().downcast::<ListType>().and_then(ListType::len) {
            let items = (0..len).map(|at| index::item(this.py(), &variable, at as i64));
            let items = PyTuple::new(this.py(), items.collect::<PyResult<Vec<_>>>()?)?;
            return Ok(items.try_iter()?.into_any());
        }
        let first = variable.ty().downcast::<TensorType>().and_then(|it| *it.shape().first()?);
        let Some(count) = first else { return Err(no_value(&variable, "iteration")) };
        let items = (0..count).map(|at| index::at(this.as_any(), at));
        let items = PyTuple::new(this.py(), items.collect::<PyResult<Vec<_>>>()?)?;
        Ok(items.try_iter()?.into_any())
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(no_value(&self.variable, "bool()"))
    }

    fn __len__(&self) -> PyResult<usize> {
        if let Some(len) = self.variable.ty().downcast::<ListType>().and_then(ListType::len) {
            return Ok(len);
        }
        Err(no_value(&self.variable, "len()"))
    }

    fn __float__(&self) -> PyResult<f64> {
        Err(no_value(&self.variable, "float()"))
    }

    fn __int__(&self) -> PyResult<i64> {
        Err(no_value(&self.variable, "int()"))
    }

    fn __contains__(&self, _item: &Bound<'_, PyAny>) -> PyResult<bool> {
        Err(no_value(&self.variable, "in"))
    }

    /// Variables are keys: they equal themselves alone. Other comparisons are operators.
    fn __richcmp__<'py>(
        this: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let name = match operator {
            CompareOp::Eq => return this.is(other).into_bound_py_any(py),
            CompareOp::Ne => return (!this.is(other)).into_bound_py_any(py),
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        };
        method(name)?.call(this.as_any(), &PyTuple::new(py, [other])?, None)
    }

    fn __hash__(this: &Bound<'_, Self>) -> usize {
        this.as_ptr().addr() >> 4
    }

    fn __repr__(&self) -> String {
        self.variable.to_string()
    }

    fn __str__(&self) -> String {
        self.variable.to_string()
    }
}
