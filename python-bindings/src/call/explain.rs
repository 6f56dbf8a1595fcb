//! Overload resolution explained: which signature takes a call, and why, without running it.

use opwright_runtime::op::Gradient;
use pyo3::prelude::*;

use super::overrides;
use super::target::Callee;
use crate::args::{self, Arrays, Call, Vectorcall};

/// The signature that takes a call, if one does, and the account of how it came to that.
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

/// What [`explain_call`] says of a call that an overload takes.
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
