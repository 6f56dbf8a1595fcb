//! The class of dispatchers: how they are made, their methods, and compilation for types.

use std::ffi::{CString, c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use opwright_jit::types::Ty;
use opwright_jit::{DeclaredSignature, InferOptions};
use opwright_runtime::lock::{Lock, Turn};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyTuple, PyType};

use super::backend::{self, Wanted};
use super::bind::PythonSignature;
use super::dispatcher::Dispatcher;
use super::entries::{Entries, EntryReadGuard, find};
use super::entry::Entry;
use super::host::PyHost;
use super::registrations::{self, generation};
use super::{call, freeze, stats, types};
use crate::args::{Gathered, Vectorcall};
use crate::object::trampoline::guarded;
use crate::raw::{self, Class, Lent, Plain as Raw, Visitor, entry};

/// The class of dispatchers.
static DISPATCHER: Class = Class::new();

/// Where its instances keep what the interpreter calls.
static ENTRY: OnceLock<usize> = OnceLock::new();

/// The class of bound methods.
static METHOD: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// What the compiler calls builtins of Python, and functions of `operator`.
#[pyfunction]
fn builtin_names() -> Vec<&'static str> {
    opwright_jit::builtin_names().collect()
}

/// Whether a function is built in under a name of the compiler's.
#[pyfunction]
fn is_builtin(name: &str) -> bool {
    opwright_jit::is_builtin(name)
}

/// Hands a dispatcher to the constructor.
#[pyclass]
struct Handover(Option<Dispatcher>);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let name = CString::new(format!("{}._jit.Dispatcher", crate::object::package::name()))?;
    let base = py.get_type::<Dispatcher>();
    // SAFETY: the function is one for such instances. There is none to clear them: the interpreter
    // clears the functions and dictionaries that all cycles go through.
    let (class, at) = unsafe { raw::collected_callable(name, &base, traverse as *const c_void) }?;
    ENTRY.get_or_init(|| at);
    DISPATCHER.set(&class);
    module.add("Dispatcher", class)?;
    module.add_function(wrap_pyfunction!(registrations::changed, module)?)?;
    module.add_function(wrap_pyfunction!(builtin_names, module)?)?;
    module.add_function(wrap_pyfunction!(is_builtin, module)?)?;
    module.add_function(wrap_pyfunction!(dispatcher, module)?)
}

/// Makes a dispatcher; `nogil` says whether others may run meanwhile, if that is said.
#[pyfunction]
#[pyo3(signature = (function, declared = None, backend = None, nogil = None, divides_by_zero = false, contracts = false))]
fn dispatcher<'py>(
    py: Python<'py>,
    function: Bound<'py, PyAny>,
    declared: Option<Bound<'py, PyAny>>,
    backend: Option<&str>,
    nogil: Option<bool>,
    divides_by_zero: bool,
    contracts: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let dispatcher = Dispatcher {
        name: function.getattr("__name__")?.extract()?,
        signature: PythonSignature::of(&function)?,
        function: function.unbind(),
        nogil,
        declared: declared.map(Bound::unbind),
        options: InferOptions { divides_by_zero, contracts },
        backend: backend.map(Wanted::named).transpose()?,
        misses: AtomicU64::new(0),
        entries: Entries::new(),
        compiling: Turn::new(),
        compiler: Lock::new(None),
    };
    let made = DISPATCHER.bind(py).call1((Bound::new(py, Handover(Some(dispatcher)))?,))?;
    if let Some(at) = ENTRY.get() {
        // SAFETY: an instance of the class whose making gave the offset; the entry takes it for one.
        unsafe { raw::set_entry(&made, *at, call::called) };
    }
    Ok(made)
}

entry! {
    /// Tells the garbage collector what a dispatcher keeps: functions may refer to themselves.
    fn traverse(
        _py,
        dispatcher: Lent<Dispatcher>,
        visit: Raw<ffi::visitproc>,
        arg: Raw<*mut c_void>
    ) -> c_int {
        let mut visitor = Visitor::new(visit, arg);
        visitor.class_of(dispatcher);
        visitor.attributes_of(dispatcher);
        dispatcher.get().traverse(&mut visitor);
        visitor.result()
    }
}

#[pymethods]
impl Dispatcher {
    #[new]
    fn new(handover: &Bound<'_, Handover>) -> PyResult<Dispatcher> {
        let made = handover.borrow_mut().0.take();
        made.ok_or_else(|| PyTypeError::new_err("dispatchers are made by jit()"))
    }

    /// What the interpreter calls where it passes a tuple; most calls go to the entry.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Dispatcher>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let gathered = Gathered::new(args, kwargs);
        let Vectorcall { args, positional, names, .. } = gathered.passed(None);
        let (positional, keywords) = args.split_at(positional);
        guarded("a compiled function", || Dispatcher::call(slf, positional, keywords, names))
            .or_else(|error| call::of_layer(slf, positional, keywords, names, error))
    }

    /// Types of parameters and result of what is compiled, in order.
    #[getter]
    fn compiled<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Vec<(Bound<'py, PyTuple>, Bound<'py, PyAny>)>> {
        let mut rows = Vec::new();
        for entry in self.entries.read(py).list() {
            let tys: PyResult<Vec<_>> =
                entry.types.iter().map(|it| types::to_python(py, *it)).collect();
            rows.push((PyTuple::new(py, tys?)?, types::to_python(py, entry.result)?));
        }
        rows.reverse();
        Ok(rows)
    }

    /// Compiles for types, unless that was done.
    fn compile_for(&self, py: Python<'_>, tys: &Bound<'_, PyAny>) -> PyResult<()> {
        self.entry_of(&self.entries.read(py), py, tys).map(drop)
    }

    /// What is compiled for types, as text.
    fn ir_text(&self, py: Python<'_>, tys: &Bound<'_, PyAny>) -> PyResult<String> {
        let entries = self.entries.read(py);
        Ok(self.entry_of(&entries, py, tys)?.code.program().to_text())
    }

    /// What the calls in it resolved to for types: place and signature.
    fn calls(&self, py: Python<'_>, tys: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
        let entries = self.entries.read(py);
        let entry = self.entry_of(&entries, py, tys)?;
        let program = entry.code.program();
        Ok(program.calls.iter().map(|(at, text)| (program.place_text(*at), text.clone())).collect())
    }

    /// The types that it was declared or compiled for, as a list of tuples.
    #[getter]
    fn signatures<'py>(slf: &Bound<'py, Dispatcher>) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "signatures", &[])
    }

    /// The signatures with their results.
    #[getter]
    fn nopython_signatures<'py>(slf: &Bound<'py, Dispatcher>) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "nopython_signatures", &[])
    }

    /// Compiles for a signature, or for types in a tuple, before a call.
    fn compile<'py>(
        slf: &Bound<'py, Dispatcher>,
        sig: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "compile", &[sig])
    }

    /// The typed program for types, or for all that it was compiled for, as text.
    #[pyo3(signature = (args = None))]
    fn inspect_ir<'py>(
        slf: &Bound<'py, Dispatcher>,
        args: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "inspect_ir", &[args.unwrap_or_else(|| slf.py().None().into_bound(slf.py()))])
    }

    /// What it runs as for types, or for all that it was compiled for: assembly of machine code, or
    /// instructions of the vm.
    #[pyo3(signature = (args = None))]
    fn inspect_asm<'py>(
        slf: &Bound<'py, Dispatcher>,
        args: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "inspect_asm", &[args.unwrap_or_else(|| slf.py().None().into_bound(slf.py()))])
    }

    /// What was compiled, how often that was called, and what each signature runs as.
    #[getter]
    fn stats<'py>(slf: &Bound<'py, Dispatcher>) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "stats", &[])
    }

    /// What it runs as for types, as text.
    fn asm_text(&self, py: Python<'_>, tys: &Bound<'_, PyAny>) -> PyResult<String> {
        let entries = self.entries.read(py);
        stats::assembly(py, self.entry_of(&entries, py, tys)?)
    }

    /// The numbers that `stats` is made of.
    fn measured<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        stats::measured(py, self)
    }

    /// What the calls in it resolve to for these arguments; nothing is run.
    #[pyo3(signature = (*args))]
    fn explain<'py>(
        slf: &Bound<'py, Dispatcher>,
        args: Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "explain", &[args.into_any()])
    }

    /// Registers the gradient for an argument, by name or number: a function of the gradient of the
    /// result, the arguments and the result.
    fn derivative<'py>(
        slf: &Bound<'py, Dispatcher>,
        arg: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        helper(slf, "derivative", &[arg])
    }

    /// Forgets what was compiled: names are looked up anew at the next call.
    fn recompile(&self) {
        registrations::advance();
    }

    /// A method of an object, if it stands in a class.
    fn __get__<'py>(
        slf: &Bound<'py, Dispatcher>,
        instance: Option<Bound<'py, PyAny>>,
        _owner: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        match instance {
            None => Ok(slf.clone().into_any()),
            Some(instance) => METHOD.import(py, "types", "MethodType")?.call1((slf, instance)),
        }
    }

    /// Pickled by its name.
    fn __reduce__<'py>(slf: &Bound<'py, Dispatcher>) -> PyResult<Bound<'py, PyAny>> {
        slf.getattr("__qualname__")
    }

    fn __repr__(slf: &Bound<'_, Dispatcher>) -> PyResult<String> {
        Ok(format!("jit({})", slf.get().function.bind(slf.py()).repr()?))
    }
}

/// Calls a function of the package that does what a dispatcher does in Python.
fn helper<'py>(
    slf: &Bound<'py, Dispatcher>,
    name: &str,
    args: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let py = slf.py();
    let module = py.import(format!("{}._jit.dispatch", crate::object::package::name()))?;
    let mut all = vec![slf.clone().into_any()];
    all.extend_from_slice(args);
    module.getattr(name)?.call1(PyTuple::new(py, all)?)
}

impl Dispatcher {
    /// Compiles for types, unless another thread did so meanwhile.
    #[cold]
    pub(super) fn new_entry<'r>(
        &self,
        entries: &'r EntryReadGuard<'_>,
        py: Python<'_>,
        tys: &[Ty],
    ) -> PyResult<&'r Entry> {
        let own = std::thread::current().id();
        let is_own = *self.compiler.lock() == Some(own);
        // Who waits lets others have the interpreter, which the one that compiles needs.
        let turn = (!is_own).then(|| match self.compiling.try_take() {
            Some(turn) => turn,
            None => py.detach(|| self.compiling.take()),
        });
        if let Some(found) = find(entries, tys) {
            return Ok(found);
        }
        let before = self.compiler.lock().replace(own);
        let compiled = self.compiled_for(py, tys);
        *self.compiler.lock() = before;
        let entry = entries.add(compiled?);
        drop(turn);
        Ok(entry)
    }

    fn compiled_for(&self, py: Python<'_>, tys: &[Ty]) -> PyResult<Entry> {
        let (start, host) = (Instant::now(), PyHost::new(py));
        let generation = generation();
        let declared = self.declared_for(py, tys)?;
        let program = host.compile(self.function.bind(py), tys, declared.as_ref(), self.options)?;
        let code = backend::tiered(py, program, self.backend)?;
        let microseconds = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
        Ok(Entry::new(py, tys, generation, code, microseconds, self.nogil))
    }

    /// The declared signature that arguments of these types are cast to, if some are declared.
    fn declared_for(&self, py: Python<'_>, tys: &[Ty]) -> PyResult<Option<DeclaredSignature>> {
        let Some(declared) = &self.declared else { return Ok(None) };
        let given: PyResult<Vec<_>> = tys.iter().map(|it| types::to_python(py, *it)).collect();
        let module = py.import(format!("{}._jit.signatures", crate::object::package::name()))?;
        let found =
            module.call_method1("choose", (declared.bind(py), PyTuple::new(py, given?)?))?;
        let args: PyResult<Vec<Ty>> =
            found.getattr("args")?.try_iter()?.map(|it| freeze::from_python(&it?)).collect();
        let result = found.getattr("return_type")?;
        let result = if result.is_none() { None } else { Some(freeze::from_python(&result)?) };
        Ok(Some(DeclaredSignature { args: args?, result }))
    }

    /// What is compiled for types as the package has them.
    fn entry_of<'r>(
        &self,
        entries: &'r EntryReadGuard<'_>,
        py: Python<'_>,
        tys: &Bound<'_, PyAny>,
    ) -> PyResult<&'r Entry> {
        let tys: PyResult<Vec<Ty>> = tys.try_iter()?.map(|it| freeze::from_python(&it?)).collect();
        let tys = tys?;
        match find(entries, &tys) {
            Some(found) => Ok(found),
            None => self.new_entry(entries, py, &tys),
        }
    }
}
