//! What a module says of its functions without running them.

use opwright_runtime::op::Gradient;
use opwright_runtime::resolve::Function;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyModule, PyTuple};

use crate::args::{self, Arrays, Call, Gathered, Vectorcall, type_name};
use crate::overrides;
use crate::shim::{Callee, Target};
use crate::tables::Tables;
use crate::tensor::{self, object};

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
fn texts(function: &'static Function) -> Vec<&'static str> {
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

/// The same of a call as the interpreter makes it.
///
/// # Errors
///
/// What looking at the arguments raises.
pub(crate) fn explain_call<'py>(
    py: Python<'py>,
    target: impl Callee,
    passed: &Vectorcall<'_, 'py>,
) -> PyResult<(Option<&'static str>, String)> {
    let Vectorcall { args: objects, positional, names, .. } = *passed;
    if let Some(account) = account(py, target, passed)? {
        return Ok(account);
    }
    let function = target.function();
    let arrays = Arrays::convert(function.name, objects, positional, &names);
    let arrays = arrays.map_err(|it| it.raised(function.name))?;
    let passed = Vectorcall { args: arrays.as_ref().map_or(objects, Arrays::args), ..*passed };
    if let Some(account) = account(py, target, &passed)? {
        return Ok(account);
    }
    Ok((None, args::mismatch_text(function, &passed, objects)))
}

/// What [`explain`] says of a call that an overload takes.
fn account<'py>(
    py: Python<'py>,
    target: impl Callee,
    passed: &Vectorcall<'_, 'py>,
) -> PyResult<Option<(Option<&'static str>, String)>> {
    let mut call = Call::new(py, target.function(), passed);
    if call.bind().is_err() {
        return Ok(None);
    }
    let out = call.signature().params.iter().position(|it| it.name == "out");
    let gradient = match out.is_some_and(|it| call.has(it)) {
        true => Some(Gradient::None),
        false => target.row(call.overload()).map(|it| it.gradient),
    };
    let notes = gradient.map_or_else(Vec::new, of_gradient);
    let mut text = call.account(&notes);
    if call.is_overridden() {
        text.insert_str(0, &overrides::account(&call)?);
    }
    Ok(Some((Some(target.function().signatures[call.overload()].text), text)))
}

/// What becomes of the gradients of an overload, in words.
fn of_gradient(gradient: Gradient) -> Vec<String> {
    let words = match gradient {
        Gradient::Formula([]) => "follows from its kernel",
        Gradient::Formula(written) => {
            let note =
                |(inputs, formula): &(&str, &str)| format!("gradient of {inputs}: {formula}");
            return written.iter().map(note).collect();
        }
        Gradient::Composed => "composed of operators that record",
        Gradient::NotImplemented => "not implemented",
        Gradient::None => "not differentiable",
    };
    vec![format!("gradient: {words}")]
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
