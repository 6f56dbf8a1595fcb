//! Functions as objects.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use opwright_graph::{Function, FunctionSpec, InputSpec, Instrument, Mode, OutputSpec, Variable};
use opwright_runtime::types::{Coerce, NativeStruct, Plain, Structure, TensorType, Type};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyModule, PyString, PyTuple};

use super::apply::PyApply;
use super::caller::Caller;
use super::{cc, hook, rewrite, variable};
use crate::args::Gathered;
use crate::object::failure::throw;
use crate::object::trampoline::unwound;
use crate::raw::{self, Class, Lent, Names, New, Plain as Raw, entry};

/// The class of functions.
static FUNCTION: Class = Class::new();

/// Where its instances keep what the interpreter calls.
static ENTRY: OnceLock<usize> = OnceLock::new();

/// A graph that runs.
#[pyclass(frozen, subclass, weakref, name = "FunctionBase")]
pub(crate) struct PyFunction {
    pub(crate) function: Function,
    pub(super) name: String,
    pub(super) inputs: Vec<FunctionInput>,
    pub(super) results: ReturnForm,
    pub(super) on_event: Option<Py<PyAny>>,
    /// Whether arguments are looked at as little as possible.
    pub(super) trusts: bool,
    /// What it is made of, to make it again.
    spec: Py<PyAny>,
}

/// An input of a function.
pub(super) struct FunctionInput {
    pub(super) name: Option<String>,
    pub(super) coerce: Coerce,
    /// What most values of its type are.
    pub(super) usual: Usual,
    /// What it is if nothing is given: an object, or a shared variable.
    pub(super) default: Option<Py<PyAny>>,
    pub(super) shared: Option<Variable>,
}

/// What most values of a type are, which need no closer look.
pub(super) enum Usual {
    Float,
    Tensor(TensorType),
    Native(&'static Structure),
    Other,
}

/// How results are returned.
pub(super) enum ReturnForm {
    Nothing,
    One,
    List,
    Named(Vec<Py<PyString>>),
}

/// Hands a function to the constructor, which nobody else can call so.
#[pyclass]
struct FunctionHandover(Option<PyFunction>);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let name = CString::new(format!("{}.graph.Function", crate::object::package::name()))?;
    let (class, at) = raw::callable(name, &py.get_type::<PyFunction>())?;
    ENTRY.get_or_init(|| at);
    FUNCTION.set(&class);
    module.add("Function", class)?;
    module.add_function(wrap_pyfunction!(function, module)?)?;
    module.add_function(wrap_pyfunction!(missing, module)?)?;
    module.add_function(wrap_pyfunction!(unused, module)?)?;
    module.add_function(wrap_pyfunction!(shared_among, module)?)
}

/// An input as the package says it: variable, name, whether it is lent and whether it may be written
/// to, `strict`, `allow_downcast`, and in a tuple what it is if nothing is given.
type InputOptions<'py> =
    (Bound<'py, PyAny>, Option<String>, (bool, bool), bool, Option<bool>, Bound<'py, PyTuple>);

/// How a function is made and runs, as the package says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
#[expect(clippy::struct_excessive_bools, reason = "a mode has as many")]
struct FunctionOptions<'py> {
    optimizer: String,
    fused: bool,
    per_node: bool,
    debug: bool,
    profile: bool,
    reuse: bool,
    on_event: Option<Py<PyAny>>,
    accept_inplace: bool,
    check_input: bool,
    threads: usize,
    spec: Py<PyAny>,
    compiled: Option<Bound<'py, PyAny>>,
}

impl FunctionOptions<'_> {
    fn mode(&self) -> Mode {
        Mode {
            per_node: self.per_node,
            instrument: match (self.debug, self.profile) {
                (true, _) => Instrument::Debug,
                (false, true) => Instrument::Profile,
                (false, false) => Instrument::None,
            },
            reuse: self.reuse,
            fused: self.fused && !self.per_node,
            threads: self.threads,
            plain: self.optimizer == "none",
        }
    }
}

/// Makes a function.
#[pyfunction]
#[pyo3(signature = (name, inputs, outputs, results, updates, **options))]
fn function<'py>(
    name: String,
    inputs: Vec<InputOptions<'py>>,
    outputs: Vec<(Bound<'py, PyAny>, bool)>,
    results: &Bound<'py, PyAny>,
    updates: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = results.py();
    let options: FunctionOptions<'py> =
        options.map_or_else(|| PyDict::new(py), Bound::clone).extract()?;
    let mut specs = Vec::with_capacity(inputs.len());
    let mut taken = Vec::with_capacity(inputs.len());
    for input in &inputs {
        let (is_lent, is_mutable) = input.2;
        specs.push(InputSpec { variable: of(&input.0)?, is_lent, is_mutable });
        taken.push(FunctionInput::of(input)?);
    }
    let mut wanted = Vec::with_capacity(outputs.len());
    for (output, is_lent) in &outputs {
        wanted.push(OutputSpec { variable: of(output)?, is_lent: *is_lent });
    }
    let mode = options.mode();
    let spec = FunctionSpec { inputs: specs, outputs: wanted, updates: pairs(&updates)?, mode };
    if !options.accept_inplace {
        refuse_writing(py, &name, &spec)?;
    }
    let rewriter = rewrite::rewriter(py, &options.optimizer)?;
    let function = hook::heard_failure(|| match &options.compiled {
        Some(compiled) if cfg!(feature = "cc") || !options.debug => {
            cc::function(spec, &rewriter, compiled)
        }
        _ => Function::new(spec, &rewriter),
    })?;
    if !function.is_simple() {
        warn_of_rewrites(py, &name)?;
    }
    let results = ReturnForm::of(results)?;
    let FunctionOptions { on_event, check_input, spec, .. } = options;
    let trusts = !check_input;
    object(py, PyFunction { function, name, inputs: taken, results, on_event, trusts, spec })
}

#[cold]
fn warn_of_rewrites(py: Python<'_>, name: &str) -> PyResult<()> {
    let text = format!(
        "{name}(): the rewrites of its graph do not come to an end; it is used as it stands"
    );
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)
}

/// Refuses a graph with a node that writes to its inputs.
fn refuse_writing(py: Python<'_>, name: &str, spec: &FunctionSpec) -> PyResult<()> {
    let inputs: Vec<Variable> = spec.inputs.iter().map(|it| it.variable.clone()).collect();
    let outputs = spec.outputs.iter().map(|it| &it.variable);
    let outputs = outputs.chain(spec.updates.iter().map(|(_, it)| it)).cloned();
    let outputs: Vec<Variable> = outputs.collect();
    let Some(node) = opwright_graph::writing(&inputs, &outputs) else { return Ok(()) };
    let node = PyApply::object(py, &node)?;
    Err(PyTypeError::new_err(format!(
        "{name}(): {node} writes to its inputs; say accept_inplace=True, and it gets copies of what \
         others need"
    )))
}

/// The object of a function.
fn object(py: Python<'_>, function: PyFunction) -> PyResult<Bound<'_, PyAny>> {
    let made = FUNCTION.bind(py).call1((Bound::new(py, FunctionHandover(Some(function)))?,))?;
    if let Some(at) = ENTRY.get() {
        // SAFETY: an instance of the class whose making gave the offset; the entry takes it for one.
        unsafe { raw::set_entry(&made, *at, called) };
    }
    Ok(made)
}

fn of(object: &Bound<'_, PyAny>) -> PyResult<Variable> {
    variable::of(object).ok_or_else(|| PyTypeError::new_err("expected a variable"))
}

fn all(objects: &[Bound<'_, PyAny>]) -> PyResult<Vec<Variable>> {
    objects.iter().map(of).collect()
}

fn pairs(objects: &[(Bound<'_, PyAny>, Bound<'_, PyAny>)]) -> PyResult<Vec<(Variable, Variable)>> {
    objects.iter().map(|(old, new)| Ok((of(old)?, of(new)?))).collect()
}

/// A variable, and the node that uses it.
type Used<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

/// What has to be given to compute these, and is not: the variable, and the node that uses it.
#[pyfunction]
fn missing<'py>(
    py: Python<'py>,
    inputs: Vec<Bound<'py, PyAny>>,
    wanted: Vec<Bound<'py, PyAny>>,
) -> PyResult<Option<Used<'py>>> {
    let Some((found, node)) = opwright_graph::missing(&all(&inputs)?, &all(&wanted)?) else {
        return Ok(None);
    };
    let node = node.map(|it| PyApply::object(py, &it)).transpose()?;
    Ok(Some((variable::object(py, found)?, node)))
}

/// Which inputs nothing that is wanted depends on.
#[pyfunction]
fn unused(inputs: Vec<Bound<'_, PyAny>>, wanted: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
    Ok(opwright_graph::unused(&all(&inputs)?, &all(&wanted)?))
}

/// The shared variables that these depend on.
#[pyfunction]
fn shared_among<'py>(
    py: Python<'py>,
    inputs: Vec<Bound<'py, PyAny>>,
    wanted: Vec<Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let found = opwright_graph::shared(&all(&inputs)?, &all(&wanted)?);
    found.into_iter().map(|it| variable::object(py, it)).collect()
}

impl FunctionInput {
    fn of(said: &InputOptions<'_>) -> PyResult<FunctionInput> {
        let (object, name, _, strict, loose, default) = said;
        let own = of(object)?;
        let usual = match own.ty().downcast::<Plain>() {
            Some(Plain::Double) => Usual::Float,
            _ => Usual::of(&**own.ty()),
        };
        let default = if default.is_empty() { None } else { Some(default.get_item(0)?) };
        let shared = default.as_ref().and_then(variable::of);
        Ok(FunctionInput {
            name: name.clone(),
            coerce: Coerce::of(*strict, *loose),
            usual,
            default: default.map(Bound::unbind),
            shared,
        })
    }
}

impl Usual {
    fn of(ty: &dyn Type) -> Usual {
        if let Some(it) = ty.downcast::<TensorType>() {
            return Usual::Tensor(it.clone());
        }
        ty.downcast::<NativeStruct>().map_or(Usual::Other, |it| Usual::Native(it.structure()))
    }
}

impl ReturnForm {
    fn of(said: &Bound<'_, PyAny>) -> PyResult<ReturnForm> {
        if said.is_none() {
            return Ok(ReturnForm::Nothing);
        }
        match said.extract::<bool>() {
            Ok(true) => Ok(ReturnForm::One),
            Ok(false) => Ok(ReturnForm::List),
            Err(_) => {
                let names: Vec<Bound<'_, PyString>> = said.extract()?;
                Ok(ReturnForm::Named(names.into_iter().map(Bound::unbind).collect()))
            }
        }
    }
}

entry! {
    /// Calls a function with arguments as the interpreter passes them.
    fn called(
        py,
        function: Lent<PyFunction>,
        args: Raw<*const *mut PyObject>,
        count: Raw<usize>,
        names: Raw<*mut PyObject>
    ) -> New {
        // SAFETY: the bit that says that the place before the arguments may be used is no part of
        // their number; the interpreter keeps what it passes until the call returns.
        let (count, (args, names)) = unsafe {
            let count = count & !(1 << (usize::BITS - 1));
            (count, raw::arguments(py, args, count as ffi::Py_ssize_t, names))
        };
        let function = function.get();
        let call = || hook::heard(|| function.call(py, args, count, names));
        let called = catch_unwind(AssertUnwindSafe(call));
        match called.unwrap_or_else(|payload| Err(unwound(&function.name, payload))) {
            Ok(result) => Some(result),
            Err(error) => {
                throw(|_| error);
                None
            }
        }
    }
}

impl PyFunction {
    #[inline]
    fn call<'py>(
        &self,
        py: Python<'py>,
        args: &[Bound<'py, PyAny>],
        positional: usize,
        names: Names<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if names.count() == 0 && positional == self.inputs.len() {
            return Caller::new(py, self, args).run();
        }
        let args = self.bound(py, args, positional, names)?;
        Caller::new(py, self, &args).run()
    }

    /// The arguments in order, with those that were not given.
    fn bound<'py>(
        &self,
        py: Python<'py>,
        args: &[Bound<'py, PyAny>],
        positional: usize,
        names: Names<'_, 'py>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        if positional > self.inputs.len() {
            let most = self.inputs.len();
            return Err(self.wrong(format_args!(
                "takes {most} argument{}, not {positional}",
                if most == 1 { "" } else { "s" }
            )));
        }
        let mut found: Vec<Option<Bound<'py, PyAny>>> =
            args[..positional].iter().map(|it| Some(it.clone())).collect();
        found.resize(self.inputs.len(), None);
        for at in 0..names.count() {
            let name = names.text(at);
            let place = self.inputs.iter().position(|it| it.name.as_deref() == Some(name));
            let Some(place) = place else {
                return Err(self.wrong(format_args!("has no argument '{name}'")));
            };
            if found[place].replace(args[positional + at].clone()).is_some() {
                return Err(self.wrong(format_args!("got two values for argument '{name}'")));
            }
        }
        let mut bound = Vec::with_capacity(found.len());
        for (at, (given, input)) in found.into_iter().zip(&self.inputs).enumerate() {
            let default = || input.default.as_ref().map(|it| it.bind(py).clone());
            bound.push(
                given
                    .or_else(default)
                    .ok_or_else(|| self.wrong(format_args!("misses {}", self.described(at))))?,
            );
        }
        Ok(bound)
    }

    /// `argument 'x' (position 1)`.
    pub(super) fn described(&self, input: usize) -> String {
        match &self.inputs[input].name {
            Some(name) => format!("argument '{name}' (position {})", input + 1),
            None => format!("argument {}", input + 1),
        }
    }

    #[cold]
    fn wrong(&self, what: std::fmt::Arguments<'_>) -> PyErr {
        PyTypeError::new_err(format!("{}() {what}; it is {}", self.name, self.signature()))
    }

    /// `step(x, lr=0.1)`.
    fn signature(&self) -> String {
        let parts = self.inputs.iter().enumerate().map(|(at, input)| {
            let name = input.name.clone().unwrap_or_else(|| format!("<{}>", at + 1));
            if input.default.is_some() { format!("{name}=...") } else { name }
        });
        format!("{}({})", self.name, parts.collect::<Vec<_>>().join(", "))
    }
}

#[pymethods]
impl PyFunction {
    #[new]
    fn new(handover: &Bound<'_, PyAny>) -> PyResult<PyFunction> {
        let handed =
            handover.cast::<FunctionHandover>().ok().and_then(|it| it.borrow_mut().0.take());
        handed.ok_or_else(|| PyTypeError::new_err("functions are made by function()"))
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let gathered = Gathered::new(args, kwargs);
        let passed = gathered.passed(None);
        self.call(py, passed.args, passed.positional, passed.names)
    }

    /// What it is called in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }

    /// The variables that it is given.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.function.inputs())
    }

    /// The variables that it gives.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.function.outputs())
    }

    /// Shared variables, and what they become.
    #[getter]
    fn updates<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let updates = self.function.updates().iter();
        let object = |it: &Variable| variable::object(py, it.clone());
        updates.map(|(shared, new)| Ok((object(shared)?, object(new)?))).collect()
    }

    /// The nodes in the order in which they run.
    fn toposort<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.function.nodes().map(|it| PyApply::object(py, it)).collect()
    }

    /// Forgets what it keeps of earlier calls.
    fn free(&self) {
        self.function.free();
    }

    /// For each node the inputs whose memory its result may take, whether it may take that of
    /// another temporary, and the inputs that are read for the last time.
    fn _plan(&self) -> Vec<(Vec<usize>, bool, Vec<usize>)> {
        let memory = self.function.memory();
        memory.map(|it| (it.in_place_of, it.recycles, it.ends)).collect()
    }

    /// What it was made of.
    #[getter]
    fn _spec<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.spec.bind(py).clone()
    }

    /// For each node how often it ran, how long that took in seconds, and how many bytes its results
    /// had.
    fn _noted<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Noted<'py>>>> {
        let Some(profile) = self.function.profile() else { return Ok(None) };
        let pairs = self.function.nodes().zip(profile.nodes());
        let noted = pairs.map(|(node, it)| {
            Ok((PyApply::object(py, node)?, it.calls, it.time.as_secs_f64(), it.bytes))
        });
        noted.collect::<PyResult<_>>().map(Some)
    }

    fn __repr__(&self) -> String {
        format!("<function {}>", self.signature())
    }

    fn __getattr__<'py>(this: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._functions")?
            .getattr("_attribute")?
            .call1((this, name))
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._function_pickling")?
            .getattr("reduced_function")?
            .call1((this,))
    }

    fn __copy__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._functions")?
            .getattr("_copy")?
            .call1((this,))
    }
}

/// A node, its calls, its seconds, its bytes.
type Noted<'py> = (Bound<'py, PyAny>, u64, f64, Option<u64>);

fn listed<'py>(py: Python<'py>, variables: &[Variable]) -> PyResult<Bound<'py, PyList>> {
    let objects = variables.iter().map(|it| variable::object(py, it.clone()));
    PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
}
