//! `extending.native_op(...)(function)`: the operator, which is called like any other.

use std::ffi::CString;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

use opwright_runtime::autograd::is_recording;
use opwright_runtime::op::{Gradient, Operator, Param, Results, Slot, Type, Value};
use opwright_runtime::resolve::{Accepts, Function};
use opwright_runtime::{Device, DispatchKey, Error, ErrorKind, Tensor};
use pyo3::exceptions::{
    PyException, PyIndexError, PyMemoryError, PyNotImplementedError, PyOverflowError, PyTypeError,
    PyValueError,
};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use smallvec::SmallVec;

use super::by_number::Call as CallByNumber;
use super::declared::{Declared, kept};
use crate::args::{Call, Gathered, Sequence, Vectorcall, classify, type_name};
use crate::failure::Failure;
use crate::op::{signature, values};
use crate::package;
use crate::raw::{self, Class, Lent, New, NewReference, Plain, entry};
use crate::shim::{self, Callee};
use crate::tensor::object;

/// An operator that was defined in Python, which is called as its schema says.
#[pyclass(frozen, subclass, weakref, name = "NativeOpBase")]
pub(crate) struct PyNativeOp {
    declared: Declared,
    function: &'static Function,
    /// What is declared of it; another one when a derivative is added.
    row: AtomicPtr<Operator>,
    body: Py<PyAny>,
    /// What is called for tensors on Meta, if it is not the body.
    meta: PyOnceLock<Py<PyAny>>,
    /// What is called with tensors that require gradients, if it is not the body.
    recorded: PyOnceLock<Py<PyAny>>,
    /// A default for each parameter, or None.
    defaults: Vec<Py<PyAny>>,
    /// How many parameters are passed by position.
    positional: usize,
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
struct Handover(Option<PyNativeOp>);

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
        let made = CLASS.bind(py).call1((Bound::new(py, Handover(Some(self)))?,))?;
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
        call: CallByNumber,
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

    /// Calls it with a value for each parameter.
    ///
    /// # Errors
    ///
    /// What the function raises, as an error of the same kind; what is no `Exception` unwinds.
    pub(super) fn call(
        &self,
        py: Python<'_>,
        values: &mut [Value],
    ) -> opwright_runtime::Result<Results> {
        self.call_boxed(py, values).map_err(|it| error(py, it))
    }

    fn call_boxed(&self, py: Python<'_>, values: &mut [Value]) -> Result<Results, Failure> {
        let params = self.declared.params;
        let pairs = values.iter().zip(params);
        let objects = pairs.map(|(value, param)| boxed(py, value.clone(), &param.slot.ty));
        let objects = objects.collect::<Result<SmallVec<[_; 8]>, Failure>>()?;
        let returned = self.run(py, &objects)?;
        for ((value, param), object) in values.iter_mut().zip(params).zip(&objects) {
            if let (true, Value::Tensor(handle)) = (param.slot.writes, value)
                && let Some(tensor) = object::tensor_of(object)
            {
                *handle = tensor.clone();
            }
        }
        let slots = self.declared.results;
        let several = slots.len() > 1;
        let mut results = Results::new();
        for (at, slot) in slots.iter().enumerate().filter(|(_, it)| !it.writes) {
            let one = if several { returned.get_item(at)? } else { returned.clone() };
            results.push(values::value(&one, &slot.ty)?);
        }
        Ok(results)
    }

    /// Runs the function for objects, one for each parameter, and checks what it returns.
    fn run<'py>(
        &self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let returned = match self.instead(py, objects) {
            Some(recorded) => recorded.call1(PyTuple::new(py, objects)?)?,
            None => self.called(py, objects)?,
        };
        self.checked(returned, objects)
    }

    /// What is called in the place of the body, if a tensor requires gradients.
    fn instead<'a, 'py>(
        &'a self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Option<&'a Bound<'py, PyAny>> {
        let recorded = self.recorded.get(py)?.bind(py);
        let requires =
            |it: &Tensor| it.keys().contains(DispatchKey::Autograd) && it.requires_grad();
        (is_recording() && any(objects, &requires)).then_some(recorded)
    }

    /// What the body returns, or the function for Meta.
    fn called<'py>(
        &self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let meta = self.meta.get(py).filter(|_| any(objects, &|it| it.device() == Device::Meta));
        let body = meta.unwrap_or(&self.body).bind(py);
        let (first, named) = objects.split_at(self.positional);
        let args = PyTuple::new(py, first)?;
        if named.is_empty() {
            return Ok(body.call1(args)?);
        }
        let keywords = PyDict::new(py);
        for (param, object) in self.declared.params[self.positional..].iter().zip(named) {
            keywords.set_item(param.slot.name, object)?;
        }
        Ok(body.call(args, Some(&keywords))?)
    }

    /// What was returned, as the schema says it.
    fn checked<'py>(
        &self,
        returned: Bound<'py, PyAny>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        match self.declared.results {
            [] if returned.is_none() => Ok(returned),
            [] => Err(self.wrong(&returned, "nothing")),
            [slot] => self.result(slot, returned, objects),
            slots => {
                let is_list =
                    returned.is_instance_of::<PyTuple>() || returned.is_instance_of::<PyList>();
                if !is_list || returned.len()? != slots.len() {
                    return Err(self.wrong(&returned, &format!("{} results", slots.len())));
                }
                let pairs = slots.iter().zip(returned.try_iter()?);
                let all = pairs.map(|(slot, it)| self.result(slot, it?, objects));
                let all = all.collect::<Result<Vec<_>, Failure>>()?;
                Ok(PyTuple::new(returned.py(), all)?.into_any())
            }
        }
    }

    fn result<'py>(
        &self,
        slot: &Slot,
        returned: Bound<'py, PyAny>,
        objects: &[Bound<'py, PyAny>],
    ) -> Result<Bound<'py, PyAny>, Failure> {
        if slot.writes {
            let written = |it: &Param| it.slot.writes && it.slot.sets == slot.sets;
            let at = self.declared.params.iter().position(written);
            let object = at.and_then(|at| objects.get(at));
            return match object {
                Some(object) if returned.is_none() || returned.is(object) => Ok(object.clone()),
                _ => Err(self.wrong(&returned, "what it writes to")),
            };
        }
        if is_exact(&returned, &slot.ty) {
            return Ok(returned);
        }
        let accepts = classify(returned.as_borrowed());
        let is_absent = matches!(slot.ty, Type::Optional(_)) && accepts.has(Accepts::NONE);
        if !is_absent && !accepts.kind(slot.ty.kind()) {
            return Err(self.wrong(&returned, &slot.ty.to_string()));
        }
        let py = returned.py();
        values::object(py, values::value(&returned, &slot.ty)?)
    }

    #[cold]
    fn wrong(&self, returned: &Bound<'_, PyAny>, declared: &str) -> Failure {
        let (name, given) = (self.declared.name, type_name(returned));
        let text = format!(
            "{name}() returned {given}, and its schema declares {declared}: {}",
            self.declared.schema
        );
        PyTypeError::new_err(text).into()
    }

    /// The object of a parameter: the argument, converted to its type, or the default.
    fn argument<'py>(
        &self,
        call: &Call<'_, 'py>,
        at: usize,
        param: &Param,
    ) -> Result<Bound<'py, PyAny>, Failure> {
        let py = call.py();
        if !call.has(at) {
            return Ok(self.defaults[at].bind(py).clone());
        }
        let given = call.given(at);
        if is_exact(&given, &param.slot.ty) {
            return Ok(given);
        }
        boxed(py, values::argument(call, at, param)?, &param.slot.ty)
    }

    /// Sets what can be said once.
    fn say(
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

/// Whether a tensor among objects, or in a list among them, is such a one.
fn any(objects: &[Bound<'_, PyAny>], is: &dyn Fn(&Tensor) -> bool) -> bool {
    objects.iter().any(|object| match object::tensor_of(object) {
        Some(tensor) => is(tensor),
        None => {
            let all = Sequence::of(object.as_borrowed());
            all.is_some_and(|it| it.iter().any(|it| object::tensor_of(&it).is_some_and(is)))
        }
    })
}

/// Whether an object is what the function gets for a type as it is.
fn is_exact(object: &Bound<'_, PyAny>, ty: &Type) -> bool {
    match ty {
        Type::Tensor => object::is_tensor(object),
        Type::Int | Type::SymInt | Type::DeviceIndex => object.is_exact_instance_of::<PyInt>(),
        Type::Float => object.is_exact_instance_of::<PyFloat>(),
        Type::Bool | Type::SymBool => object.is_instance_of::<PyBool>(),
        Type::Str => object.is_exact_instance_of::<PyString>(),
        Type::Scalar => {
            object.is_exact_instance_of::<PyFloat>()
                || object.is_exact_instance_of::<PyInt>()
                || object.is_instance_of::<PyBool>()
                || object.is_exact_instance_of::<PyComplex>()
        }
        Type::Native(..) => true,
        Type::Optional(inner) => is_exact(object, inner),
        Type::ScalarType
        | Type::Layout
        | Type::Device
        | Type::MemoryFormat
        | Type::Generator
        | Type::Storage
        | Type::Dimname
        | Type::Stream
        | Type::List(..) => false,
    }
}

/// A value as the function gets it: a list of as many elements as the type says, numbers of its kind.
fn boxed<'py>(py: Python<'py>, value: Value, ty: &Type) -> Result<Bound<'py, PyAny>, Failure> {
    let value = match (ty, value) {
        (Type::Optional(_), Value::None) => Value::None,
        (Type::Optional(inner), value) => return boxed(py, value, inner),
        (Type::List(_, Some(size)), value) if !matches!(value, Value::List(_)) => {
            Value::List(vec![value; *size as usize])
        }
        (Type::Float, Value::Int(it)) => Value::Float(it as f64),
        (_, value) => value,
    };
    values::object(py, value)
}

/// The error of the same kind.
#[cold]
fn error(py: Python<'_>, failure: Failure) -> Error {
    let raised = match failure {
        Failure::Op(error) => return error,
        other => PyErr::from(other),
    };
    if !raised.is_instance_of::<PyException>(py) {
        std::panic::resume_unwind(Box::new(raised));
    }
    let text = raised.value(py).to_string();
    let kinds = [
        (py.get_type::<PyTypeError>(), ErrorKind::Type),
        (py.get_type::<PyValueError>(), ErrorKind::Value),
        (py.get_type::<PyIndexError>(), ErrorKind::Index),
        (py.get_type::<PyNotImplementedError>(), ErrorKind::NotImplemented),
        (py.get_type::<PyOverflowError>(), ErrorKind::Overflow),
        (py.get_type::<PyMemoryError>(), ErrorKind::Memory),
    ];
    match kinds.iter().find(|(class, _)| raised.is_instance(py, class)) {
        Some((_, kind)) => Error::new(*kind, text),
        None => Error::runtime(format_args!("{}: {text}", raised.get_type(py))),
    }
}

impl Callee for &Bound<'_, PyNativeOp> {
    fn function(self) -> &'static Function {
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
    fn made(handover: &Bound<'_, Handover>) -> PyResult<PyNativeOp> {
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
        let py = this.py();
        let operator = this.get();
        let make = package::load(py, "_jit.native_op")?;
        let first = formulas.get_item(0).ok();
        if let Some(function) = first.filter(|it| it.is_callable()) {
            let recorded = make.getattr("recorded")?.call1((this, &function))?;
            operator.say(&operator.recorded, "derivative", &recorded)?;
            operator.describe(&[("all", "by a function")]);
            return Ok(function);
        }
        let texts: Vec<String> = formulas.extract()?;
        let row = operator.row();
        let read = super::formula::read(py, row, &texts).map_err(|text| {
            let name = operator.declared.name;
            PyValueError::new_err(format!("{name}.derivative() cannot take this formula:\n{text}"))
        })?;
        let written: Vec<(&str, &str)> =
            read.iter().map(|it| (kept(it.inputs.join(", ")), kept(it.text.clone()))).collect();
        let given: Vec<_> = read.into_iter().map(|it| (it.inputs, it.python)).collect();
        let function = make.getattr("of_formulas")?.call1((this, given))?;
        let recorded = make.getattr("recorded")?.call1((this, function))?;
        operator.say(&operator.recorded, "derivative", &recorded)?;
        operator.describe(&written);
        Ok(this.clone().into_any())
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

    /// Its documentation: the schema, and what the function says.
    #[getter]
    fn _doc(&self, py: Python<'_>) -> PyResult<String> {
        let own: Option<String> = self.body.bind(py).getattr("__doc__")?.extract()?;
        let schema = self.declared.schema;
        Ok(own.map_or_else(|| schema.to_owned(), |own| format!("{schema}\n\n{own}")))
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
        crate::introspect::explain_call(this.py(), this, &Gathered::new(args, kwargs).passed(None))
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

impl PyNativeOp {
    /// Says of its gradients what was written for inputs.
    fn describe(&self, written: &[(&'static str, &'static str)]) {
        let gradient = Gradient::Formula(written.to_vec().leak());
        let row: &'static Operator = Box::leak(Box::new(Operator { gradient, ..*self.row() }));
        self.row.store(std::ptr::from_ref(row).cast_mut(), Ordering::Release);
        super::changed(row);
    }
}
