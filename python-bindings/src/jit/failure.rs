//! Failures of compiled functions as exceptions.

use opwright_jit::entry::{Cause, Failed};
use opwright_jit::ir::{Program, RaisedArg, Trap};
use opwright_jit::types::TyKind;
use pyo3::exceptions::{
    PyIndexError, PyRecursionError, PyTypeError, PyUnboundLocalError, PyValueError,
    PyZeroDivisionError,
};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arrays::BoxContext;
use super::{boxing, objects};

/// The exception of a call that failed.
pub(super) fn raised<'py>(
    py: Python<'py>,
    program: &Program,
    failed: Failed,
    context: &BoxContext<'_, 'py>,
) -> PyErr {
    let Failed { cause, trace, words } = failed;
    let error = match cause {
        Cause::Depth => {
            PyRecursionError::new_err("maximum recursion depth exceeded in compiled code")
        }
        Cause::Interrupted => PyTypeError::new_err("interrupted"),
        Cause::Runtime(error) => crate::object::failure::exception(&error),
        Cause::Site => match trace.first() {
            Some((function, site)) => {
                let site = &program.functions[function.0 as usize].sites[site.0 as usize];
                of_site(py, &site.failure, &words, context).unwrap_or_else(|it| it)
            }
            None => PyTypeError::new_err("a compiled function failed"),
        },
    };
    if let Err(other) = add_places(py, &error, program, &trace) {
        return other;
    }
    // Made anew from its value, as that has the traceback.
    PyErr::from_value(error.into_value(py).into_bound(py).into_any())
}

/// A shape as numpy shows it.
fn shape(extents: &[u64]) -> String {
    let extents: Vec<String> = extents.iter().map(|it| it.cast_signed().to_string()).collect();
    match &extents[..] {
        [only] => format!("({only},)"),
        all => format!("({})", all.join(",")),
    }
}

fn of_site<'py>(
    py: Python<'py>,
    failure: &Trap,
    words: &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<PyErr> {
    let signed = |at: usize| words.get(at).copied().unwrap_or(0).cast_signed();
    Ok(match failure {
        Trap::ZeroDivision(text) => PyZeroDivisionError::new_err(*text),
        Trap::Value(text) => PyValueError::new_err(text.to_string()),
        Trap::Type(text) => PyTypeError::new_err(text.to_string()),
        Trap::Index(axis, true) => PyIndexError::new_err(format!(
            "index {} is out of bounds for axis {axis} with size {}",
            signed(0),
            signed(1)
        )),
        Trap::Index(_, false) => PyIndexError::new_err("tuple index out of range"),
        Trap::Broadcast => PyValueError::new_err(format!(
            "could not broadcast: extents {} and {} differ",
            signed(0),
            signed(1)
        )),
        Trap::BroadcastTo(count) => {
            let (from, to) = words.split_at((*count as usize).min(words.len()));
            PyValueError::new_err(format!(
                "could not broadcast input array from shape {} into shape {}",
                shape(from),
                shape(to)
            ))
        }
        Trap::Unbound(name) => PyUnboundLocalError::new_err(format!(
            "cannot access local variable '{name}' where it is not associated with a value"
        )),
        Trap::Raised(class, args) => {
            let mut words = words;
            let mut values = Vec::with_capacity(args.len());
            for arg in args {
                values.push(match arg {
                    RaisedArg::Value(ty) => message_value(py, *ty, &mut words, context)?,
                    RaisedArg::Formatted(types) => formatted(py, types, &mut words, context)?,
                });
            }
            let class = objects::object(py, *class);
            PyErr::from_value(class.call1(PyTuple::new(py, values)?)?)
        }
        Trap::Call => PyTypeError::new_err("a call failed"),
    })
}

fn message_value<'py>(
    py: Python<'py>,
    ty: opwright_jit::types::Ty,
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    match &*ty {
        TyKind::Formatted(types) => formatted(py, types, words, context),
        _ => boxing::boxed(py, ty, words, context),
    }
}

fn formatted<'py>(
    py: Python<'py>,
    types: &[opwright_jit::types::Ty],
    words: &mut &[u64],
    context: &BoxContext<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut text = String::new();
    for ty in types {
        text.push_str(&boxing::boxed(py, *ty, words, context)?.str()?.to_string_lossy());
    }
    Ok(pyo3::types::PyString::new(py, &text).into_any())
}

/// Adds the functions that an exception went through, innermost first, to its traceback.
fn add_places(
    py: Python<'_>,
    error: &PyErr,
    program: &Program,
    trace: &[(opwright_jit::ir::FuncId, opwright_jit::ir::SiteId)],
) -> PyResult<()> {
    const MOST: usize = 20;
    let mut places = Vec::new();
    for (function, site) in trace.iter().take(MOST) {
        let function = &program.functions[function.0 as usize];
        let Some(site) = function.sites.get(site.0 as usize) else { continue };
        let mut at = Some(site.place);
        while let Some(place) = at.and_then(|it| program.places.get(it.0 as usize)) {
            let source = &program.sources[place.source as usize];
            let span = place.span;
            let rows = (span.line, span.end_line, span.column, span.end_column);
            places.push((&*source.file, &*source.function, rows));
            at = place.caller;
        }
    }
    let module = py.import(format!("{}._jit.traceback", crate::object::package::name()))?;
    module.call_method1("add_places", (error.value(py), places)).map(drop)
}
