//! Initialization of a Python module from its generated tables.

use std::ffi::{CStr, CString};

use opwright_runtime::{Isa, isa, parallel, warning};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

use super::import::{begin, keep_modules};
use super::introspect;
use crate::call::tables::{self, Tables};
use crate::call::{self, overrides};
use crate::object::{gil, hooks, native, signals};
use crate::raw::method::MethodTable;
use crate::{autograd, graph, storage, tensor, types, xla};

/// Fills `module` with the classes, functions and submodules of `tables`.
///
/// # Errors
///
/// `ImportError` in a sub-interpreter; whatever making a class or a module raises.
pub fn init(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    if begin(module)? { fill(module, tables) } else { Ok(()) }
}

/// The same for a module whose import has begun.
pub(crate) fn fill(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    tables::set(tables);
    hooks::set(&graph::OBJECT_HOOKS);
    call::hooks::set(&graph::CALL_HOOKS);
    native::add(module, tables.natives)?;
    types::add(module)?;
    storage::add(module)?;
    tensor::add(module, tables)?;
    autograd::add(module)?;
    overrides::add(module)?;
    gil::add(module)?;
    ask_environment(module.py())?;
    tables.functions.add_to(module)?;
    for (name, table) in tables.submodules {
        submodule(module, name, *table)?;
    }
    named_tuples(module, tables)?;
    // Where programs written for upstream find the functions that its Python code wraps.
    module.add("_VariableFunctions", module)?;
    introspect::add(module, tables)?;
    #[cfg(any(debug_assertions, feature = "switches"))]
    super::fast_paths::add(module)?;
    tables.operators.add(module)?;
    graph::add(module, tables)?;
    xla::add(module)?;
    #[cfg(feature = "jit")]
    crate::jit::add(module, tables)?;
    module.add_function(wrap_pyfunction!(keep_modules, module)?)?;
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
    Isa::detect();
    if let Some(text) = isa::ignored() {
        let known: Vec<&str> = Isa::ALL.iter().map(|it| it.name()).collect();
        ignored(py, isa::VARIABLE, &text, &format!("is none of {}", known.join(", ")))?;
    }
    Ok(())
}

/// Warns of a variable that says what it cannot.
fn ignored(py: Python<'_>, variable: &str, text: &str, why: &str) -> PyResult<()> {
    let text = CString::new(format!("{variable} is ignored: {text:?} {why}")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
}

/// `_C._nn`, importable as a module of that name.
fn submodule(parent: &Bound<'_, PyModule>, name: &CStr, table: MethodTable) -> PyResult<()> {
    let py = parent.py();
    let name = name.to_string_lossy();
    let path = format!("{}.{name}", parent.name()?);
    let module = PyModule::new(py, &path)?;
    table.add_to(&module)?;
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
