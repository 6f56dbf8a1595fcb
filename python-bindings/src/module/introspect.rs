//! Introspection of a module's functions.

use opwright_runtime::resolve::OverloadSet;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple};

use crate::args::Gathered;
use crate::call::explain::explain_call;
use crate::call::tables::Tables;
use crate::call::target::Target;
use crate::object::{self, type_name};
use crate::tensor;

/// Adds `_signatures`, `_schemas` and `_explain`, which know functions by their names.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let py = module.py();
    let texts = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let name: String = args.get_item(0)?.extract()?;
        Ok::<_, PyErr>(target(tables, &name).map_or_else(Vec::new, |it| texts(it.function)))
    };
    module.add("_signatures", PyCFunction::new_closure(py, Some(c"_signatures"), None, texts)?)?;
    let schemas = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| {
        let name: String = args.get_item(0)?.extract()?;
        Ok::<_, PyErr>(target(tables, &name).map_or_else(Vec::new, schemas))
    };
    module.add("_schemas", PyCFunction::new_closure(py, Some(c"_schemas"), None, schemas)?)?;
    let names: Vec<&str> = tables.targets.iter().map(|it| it.name).collect();
    module.add("_operators", names)?;
    let account = move |args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>| {
        let name: String = args.get_item(0)?.extract()?;
        let target = target(tables, &name)
            .ok_or_else(|| PyTypeError::new_err(format!("{name} is not a function of a table")))?;
        explain(target, &args.get_slice(1, args.len()), kwargs)
    };
    module.add("_explain", PyCFunction::new_closure(py, Some(c"_explain"), None, account)?)
}

fn target(tables: &'static Tables, name: &str) -> Option<&'static Target> {
    tables.target(name).or_else(|| tensor::target(name))
}

/// The signatures in the order in which they are tried, without older ones.
fn texts(function: &'static OverloadSet) -> Vec<&'static str> {
    function.shown().filter(|it| !it.deprecated).map(|it| it.text).collect()
}

/// For each of these signatures the schemas of what runs without `out` and with it.
fn schemas(target: &'static Target) -> Vec<[Option<&'static str>; 2]> {
    let shown: Vec<_> = target.function.shown().filter(|it| !it.deprecated).collect();
    let all = target.function.signatures.iter().zip(target.schemas);
    all.filter(|(it, _)| shown.iter().any(|other| std::ptr::eq(*it, *other)))
        .map(|(_, schemas)| *schemas)
        .collect()
}

/// The signature that takes a call, if one does, and the account of how it came to that.
fn explain(
    target: &Target,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Option<&'static str>, String)> {
    let py = args.py();
    let (receiver, args) = receiver(target, args)?;
    let gathered = Gathered::new(&args, kwargs);
    let passed = gathered.passed(receiver.as_ref().and_then(|it| object::known(it.as_borrowed())));
    explain_call(py, target, &passed)
}

/// The tensor that a method is called on, which comes first, and the other arguments.
fn receiver<'py>(
    target: &Target,
    args: &Bound<'py, PyTuple>,
) -> PyResult<(Option<Bound<'py, PyAny>>, Bound<'py, PyTuple>)> {
    if !target.method {
        return Ok((None, args.clone()));
    }
    let name = target.function.name;
    if args.is_empty() {
        let text = format!("the method {name}() needs a tensor as its first argument");
        return Err(PyTypeError::new_err(text));
    }
    let receiver = args.get_item(0)?;
    if !object::is_tensor(&receiver) {
        let given = type_name(&receiver);
        let text = format!("the method {name}() is called on a Tensor, not {given}");
        return Err(PyTypeError::new_err(text));
    }
    Ok((Some(receiver), args.get_slice(1, args.len())))
}
