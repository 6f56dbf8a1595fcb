//! A Python module from its generated tables.

use std::ffi::{CStr, CString};

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use crate::runtime::{Level, level, parallel, warning};
use crate::tables::{self, MethodTable, Tables};
use crate::{
    args, autograd, graph, introspect, native, overrides, package, raw, signals, storage, tensor,
    types,
};

/// Fills `module` with the classes, functions and submodules of `tables`.
///
/// # Errors
///
/// `ImportError` in a sub-interpreter; whatever making a class or a module raises.
pub fn init(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    if package::begin(module)? { fill(module, tables) } else { Ok(()) }
}

/// The same for a module whose import has begun.
pub(crate) fn fill(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    tables::set(tables);
    native::add(module, tables.natives)?;
    types::add(module)?;
    storage::add(module)?;
    tensor::add(module, tables)?;
    autograd::add(module)?;
    overrides::add(module)?;
    args::add_threshold(module)?;
    ask_environment(module.py())?;
    functions(module, tables.functions)?;
    for (name, table) in tables.submodules {
        submodule(module, name, *table)?;
    }
    named_tuples(module, tables)?;
    // Where programs written for upstream find the functions that its Python code wraps.
    module.add("_VariableFunctions", module)?;
    introspect::add(module, tables)?;
    tables.operators.add(module)?;
    graph::add(module, tables)?;
    #[cfg(feature = "jit")]
    crate::jit::add(module, tables)?;
    module.add_function(wrap_pyfunction!(package::keep_modules, module)?)?;
    // PyO3 lists what it adds itself, which would hide the tables' functions from `import *`.
    module.delattr("__all__")
}

/// Asks the environment how many threads and which instructions to use: now, as others do at their
/// import, and not at the first call.
fn ask_environment(py: Python<'_>) -> PyResult<()> {
    warning::send_to(signals::warn);
    // The first lock of a thread needs memory, which is there while a module is imported.
    drop(opwright_runtime::lock::Lock::new(()).lock());
    parallel::get_num_threads();
    for (variable, text) in parallel::ignored_variables() {
        ignored(py, variable, &text, "is not a positive number of threads")?;
    }
    Level::detect();
    if let Some(text) = level::ignored() {
        let known: Vec<&str> = Level::ALL.iter().map(|it| it.name()).collect();
        ignored(py, level::VARIABLE, &text, &format!("is none of {}", known.join(", ")))?;
    }
    Ok(())
}

/// Warns of a variable that says what it cannot.
fn ignored(py: Python<'_>, variable: &str, text: &str, why: &str) -> PyResult<()> {
    let text = CString::new(format!("{variable} is ignored: {text:?} {why}")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// Adds functions that are not bound to the module, as static methods are not
/// to their class: their `__self__` is `None`.
pub(crate) fn functions(module: &Bound<'_, PyModule>, table: MethodTable) -> PyResult<()> {
    let home = module.name()?;
    for (name, entry) in table.entries() {
        // SAFETY: `method::alone` and `method::with_arguments` make entries, with the flags of
        // their functions, which cope with the receiver of a function of a module: none.
        let function = unsafe { raw::function(&home, entry)? };
        module.setattr(&*name.to_string_lossy(), function)?;
    }
    Ok(())
}

/// `_C._nn`, importable as a module of that name.
fn submodule(parent: &Bound<'_, PyModule>, name: &CStr, table: MethodTable) -> PyResult<()> {
    let py = parent.py();
    let name = name.to_string_lossy();
    let path = format!("{}.{name}", parent.name()?);
    let module = PyModule::new(py, &path)?;
    functions(&module, table)?;
    parent.add(&*name, &module)?;
    let loaded = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    loaded.set_item(path, module)
}

/// `_named_tuples`: from a name to a function that makes the class.
fn named_tuples(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let names: Vec<&str> = tables.named_tuples.iter().map(|it| it.name()).collect();
    module.add("_named_tuple_names", names)?;
    let make = pyo3::types::PyCFunction::new_closure(
        module.py(),
        Some(c"_named_tuple"),
        None,
        move |args: &Bound<'_, pyo3::types::PyTuple>, _| -> PyResult<Py<PyAny>> {
            let name: String = args.get_item(0)?.extract()?;
            let class = tables.named_tuples.iter().find(|it| it.name() == name);
            match class {
                Some(class) => Ok(class.class(args.py())?.clone().unbind()),
                None => Err(pyo3::exceptions::PyKeyError::new_err(name)),
            }
        },
    )?;
    module.add("_named_tuple", make)
}
