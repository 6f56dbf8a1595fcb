//! `extending.native_op(...)(function)`: the operator, which is called like any other.

use std::ffi::CString;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use opwright_runtime::op::{Gradient, Operator, Param, Type, Value};
use opwright_runtime::resolve::OverloadSet;
use opwright_schema::numpydoc;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use smallvec::SmallVec;

use super::by_number::NumberedFn;
use super::declared::{Declared, kept};
use super::derivative;
use crate::args::{Call, Gathered, Vectorcall};
use crate::call::explain::explain_call;
use crate::call::shim;
use crate::call::target::Callee;
use crate::object::{Failure, package, type_name};
use crate::op::{signature, values};
use crate::raw::{self, Class, Lent, New, NewReference, Plain, entry};

/// An operator that was defined in Python, which is called as its schema says.
#[pyclass(frozen, subclass, weakref, name = "NativeOpBase")]
pub(crate) struct PyNativeOp {
    pub(super) declared: Declared,
    function: &'static OverloadSet,
    /// What is declared of it; another one when a derivative is added.
    pub(super) row: AtomicPtr<Operator>,
    pub(super) body: Py<PyAny>,
    /// What is called for tensors on Meta, if it is not the body.
    pub(super) meta: PyOnceLock<Py<PyAny>>,
    /// What is called with tensors that require gradients, if it is not the body.
    pub(super) recorded: PyOnceLock<Py<PyAny>>,
    /// A default for each parameter, or None.
    pub(super) defaults: Vec<Py<PyAny>>,
    /// How many parameters are passed by position.
    pub(super) positional: usize,
    /// Where it was defined.
    place: String,
}

/// The class of operators.
static CLASS: Class = Class::new();

/// Where its instances keep what the interpreter calls.
static ENTRY: OnceLock<usize> = OnceLock::new();

/// The class, made at the import.
///
/// # Errors
///
/// Whatever making a class raises.
pub(super) fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let name = CString::new(format!("{}.ops.NativeOp", package::name()))?;
    let base = py.get_type::<PyNativeOp>();
    let (class, at) = raw::callable(name, &base)?;
    // That of a class would hide that of each operator.
    class.setattr("__doc__", base.getattr("__dict__")?.get_item("_doc")?)?;
    ENTRY.get_or_init(|| at);
    CLASS.set(&class);
    Ok(class)
}

/// Hands an operator to the constructor.
#[pyclass]
struct NativeOpHandover(Option<PyNativeOp>);

entry! {
    /// Calls an operator with arguments as the interpreter passes them.
    fn called(
        py,
        operator: Lent<PyNativeOp>,
        args: Plain<*const *mut PyObject>,
        count: Plain<usize>,
        names: Plain<*mut PyObject>
    ) -> New {
        // SAFETY: the bit that says that the place before the arguments may be used is no part of
        // their number; the interpreter keeps what it passes until the call returns.
        let (count, (args, names)) = unsafe {
            let count = count & !(1 << (usize::BITS - 1));
            (count, raw::arguments(py, args, count as ffi::Py_ssize_t, names))
        };
        let passed = &Vectorcall { receiver: None, args, positional: count, names };
        shim::run_object(py, &*operator, passed).map(|it| it.into_bound(py))
    }
}

impl PyNativeOp {
    /// As an object.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(super) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyNativeOp>> {
        let made = CLASS.bind(py).call1((Bound::new(py, NativeOpHandover(Some(self)))?,))?;
        if let Some(at) = ENTRY.get() {
            // SAFETY: an instance of the class whose making gave the offset; the entry takes it for
            // one.
            unsafe { raw::set_entry(&made, *at, called) };
        }
        Ok(made.cast_into()?)
    }

    /// The operator of a function.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(super) fn new(
        declared: Declared,
        call: NumberedFn,
        body: Py<PyAny>,
        tags: Vec<String>,
        place: String,
    ) -> PyResult<PyNativeOp> {
        let tags: Vec<&'static str> = tags.into_iter().map(kept).collect();
        let row: &'static Operator = Box::leak(Box::new(Operator {
            name: declared.name,
            schema: declared.schema,
            params: declared.params,
            results: declared.results,
            tags: tags.leak(),
            functional: None,
            in_place: None,
            out: None,
            call,
            types: None,
            inner_loop: None,
            reduction: None,
            gradient: Gradient::Composed,
            formulas: None,
        }));
        let defaults = Python::attach(|py| {
            let value = |it: &Param| it.default.map_or(Value::None, |it| it.value());
            let each = declared.params.iter();
            each.map(|it| Ok(values::object(py, value(it))?.unbind()))
                .collect::<Result<_, Failure>>()
        })?;
        Ok(PyNativeOp {
            function: signature::made(declared.name, std::slice::from_ref(row)),
            row: AtomicPtr::new(std::ptr::from_ref(row).cast_mut()),
            body,
            meta: PyOnceLock::new(),
            recorded: PyOnceLock::new(),
            defaults,
            positional: declared.params.iter().filter(|it| !it.is_keyword).count(),
            declared,
            place,
        })
    }

    /// What is declared of it.
    pub(super) fn row(&self) -> &'static Operator {
        // SAFETY: only leaked rows are stored there.
        unsafe { &*self.row.load(Ordering::Acquire) }
    }

    /// Where it was defined.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Sets what can be said once.
    pub(super) fn say(
        &self,
        cell: &PyOnceLock<Py<PyAny>>,
        what: &str,
        function: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let name = self.declared.name;
        if !function.is_callable() {
            let given = type_name(function);
            return Err(PyTypeError::new_err(format!(
                "{name}.{what}() takes a function, not {given}"
            )));
        }
        cell.set(function.py(), function.clone().unbind()).map_err(|_| {
            PyValueError::new_err(format!(
                "{name} has a {what} already; define it anew with replace=True to change it"
            ))
        })
    }
}

/// Refuses a function that does not take the parameters of a schema; `what` is what messages call it.
///
/// # Errors
///
/// `TypeError`.
pub(super) fn check(
    py: Python<'_>,
    declared: &Declared,
    what: &str,
    function: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let params: Vec<_> = declared.params.iter().map(|it| (it.slot.name, it.is_keyword)).collect();
    let check = package::load(py, "_jit.native_op")?.getattr("check")?;
    check.call1((function, what, declared.schema, params)).map(drop)
}

impl Callee for &Bound<'_, PyNativeOp> {
    fn function(self) -> &'static OverloadSet {
        self.get().function
    }

    fn body(self, call: &mut Call<'_, '_>) -> Result<NewReference, Failure> {
        let operator = self.get();
        let params = operator.declared.params;
        let mut objects: SmallVec<[Bound<'_, PyAny>; 8]> = SmallVec::with_capacity(params.len());
        for (at, param) in params.iter().enumerate() {
            objects.push(operator.argument(call, at, param)?);
        }
        Ok(operator.run(call.py(), &objects)?.into())
    }

    fn row(self, _: usize) -> Option<&'static Operator> {
        Some(self.get().row())
    }

    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(self.clone().unbind().into_bound(py).into_any())
    }
}

#[pymethods]
impl PyNativeOp {
    #[new]
    fn made(handover: &Bound<'_, NativeOpHandover>) -> PyResult<PyNativeOp> {
        let made = handover.borrow_mut().0.take();
        made.ok_or_else(|| PyTypeError::new_err("operators are made by native_op()"))
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        this: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        shim::call(this.py(), this, &Gathered::new(args, kwargs).passed(None))
    }

    /// Says what is called with tensors on the device `meta`: a function with the same parameters,
    /// which returns tensors of the right shapes and dtypes there. Without it, the function itself is.
    ///
    /// Returns the function, so that this is a decorator.
    fn meta<'py>(&self, function: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let what = format!("the function of {}.meta()", self.declared.name);
        check(function.py(), &self.declared, &what, &function)?;
        self.say(&self.meta, "meta", &function)?;
        Ok(function)
    }

    /// Says what its gradients are: formulas, as in `derivatives.yaml`, `"x: grad * k"`; or a function,
    /// whose parameters are called as those of the operator, `grad`, and `result` or `result0`.
    ///
    /// Returns the function if it gets one, so that this is a decorator, and the operator otherwise.
    #[pyo3(signature = (*formulas))]
    fn derivative<'py>(
        this: &Bound<'py, Self>,
        formulas: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        derivative::set(this, formulas)
    }

    /// `my::name`.
    #[getter]
    fn name(&self) -> &'static str {
        self.declared.name
    }

    /// The schema.
    #[getter]
    fn schema(&self) -> &'static str {
        self.declared.schema
    }

    /// The function.
    #[getter]
    fn function(&self, py: Python<'_>) -> Py<PyAny> {
        self.body.clone_ref(py)
    }

    /// What its definition says of it in single words, such as `pointwise`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.row().tags)
    }

    /// Whether a result shares the memory of an argument without having been written to.
    #[getter]
    fn is_view(&self) -> bool {
        self.row().is_view()
    }

    /// Whether it writes to an argument.
    #[getter]
    fn mutates(&self) -> bool {
        self.row().mutates()
    }

    /// What becomes of its gradients: `formula`, or `composed` of what the function calls.
    #[getter]
    fn gradient(&self) -> &'static str {
        self.row().gradient.name()
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        self.declared.attribute
    }

    #[getter]
    fn __qualname__(&self) -> String {
        format!("{}.{}", self.declared.namespace, self.declared.attribute)
    }

    /// Its documentation in the form of numpydoc: the schema, what the function says, and sections
    /// of parameters and results, unless the function has them.
    #[getter]
    fn _doc(&self, py: Python<'_>) -> PyResult<String> {
        let own = self.body.bind(py).getattr("__doc__")?;
        let own: String = match own.is_none() {
            true => String::new(),
            false => py.import("inspect")?.call_method1("cleandoc", (own,))?.extract()?,
        };
        Ok(numpydoc::docstring(&self.declared.model, &own))
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(signature::inspected(py, self.row())?)
    }

    /// What `explain` says of a call: the signature that takes it, and the account.
    #[pyo3(signature = (*args, **kwargs))]
    fn _explain(
        this: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Option<&'static str>, String)> {
        explain_call(this.py(), this, &Gathered::new(args, kwargs).passed(None))
    }

    /// Runs the body, or the function for Meta, without recording.
    fn _body<'py>(
        &self,
        py: Python<'py>,
        objects: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let returned = self.called(py, &objects)?;
        Ok(self.checked(returned, &objects)?)
    }

    /// The names of its parameters, and which of them may have gradients.
    fn _params(&self) -> Vec<(&'static str, bool)> {
        let is_tensor = |ty: &Type| matches!(ty, Type::Tensor | Type::Optional(Type::Tensor));
        self.declared.params.iter().map(|it| (it.slot.name, is_tensor(&it.slot.ty))).collect()
    }

    /// How many results it has.
    fn _results(&self) -> Vec<&'static str> {
        self.declared.results.iter().map(|it| it.name).collect()
    }

    fn __repr__(&self) -> String {
        format!("<operator {}>", self.declared.schema)
    }

    /// Pickled and copied by name, so that there is one object.
    fn __reduce__(&self) -> String {
        self.__qualname__()
    }
}
