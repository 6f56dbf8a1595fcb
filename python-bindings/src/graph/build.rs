//! A call on variables makes a node.

use opwright_graph::{Argument, Built, Variable};
use opwright_runtime::Error;
use opwright_runtime::op::{Operator, Param, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arguments::Inputs;
use super::failure::raised;
use super::{place, rows, variable};
use crate::args::Call;
use crate::failure::Failure;
use crate::shim::Callee;

/// The results of a call with a variable among its arguments: a new reference.
///
/// # Errors
///
/// What the call itself would raise; `TypeError` for what writes to a variable.
#[cold]
pub(crate) fn call(call: &Call<'_, '_>, callee: impl Callee) -> Result<*mut PyObject, Failure> {
    let row = callee.row(call.overload()).ok_or_else(|| no_row(call.name()))?;
    let row = functional(row)?;
    let mut inputs = Inputs::default();
    let mut arguments = Vec::with_capacity(row.params.len());
    for param in row.params {
        arguments.push(argument(call, param, &mut inputs)?);
    }
    refuse_out(call)?;
    let py = call.py();
    let built =
        opwright_graph::row(row, inputs.0, arguments, place::current(py)).map_err(raised)?;
    Ok(results(py, call.name(), row, built)?.into_ptr())
}

/// The argument of a parameter: that of the same name.
fn argument(call: &Call<'_, '_>, param: &Param, inputs: &mut Inputs) -> Result<Argument, Failure> {
    let name = param.slot.name;
    let given = call.signature().params.iter().position(|it| is_called(it.name, name));
    match given {
        Some(at) if call.has(at) => inputs.argument(&call.gathered(at)?, &param.slot.ty),
        Some(_) => Ok(Argument::Value(default(param))),
        None => match call.receiver_if_any().filter(|_| name == "self") {
            Some(receiver) => inputs.argument(&receiver, &param.slot.ty),
            None => Ok(Argument::Value(default(param))),
        },
    }
}

/// Functions of Python call `input` what schemas call `self`.
fn is_called(given: &str, name: &str) -> bool {
    given == name || (name == "self" && given == "input")
}

fn default(param: &Param) -> Value {
    param.default.map_or(Value::None, |it| it.value())
}

/// What gives new values instead of writing to its arguments.
fn functional(row: &'static Operator) -> Result<&'static Operator, Failure> {
    if !row.mutates() {
        return Ok(row);
    }
    let found = row.functional.and_then(rows::find);
    found.ok_or_else(|| {
        let text = format_args!(
            "{} writes to its arguments, and variables are not written to; use the result of \
             another operator, or `updates=`",
            row.name
        );
        Error::wrong_type(text).into()
    })
}

fn refuse_out(call: &Call<'_, '_>) -> Result<(), Failure> {
    let out = call.signature().params.iter().position(|it| it.name == "out");
    match out {
        Some(at) if call.has(at) && !call.given(at).is_none() => {
            let text = format_args!(
                "{}(): variables are not written to; use the result, or `updates=`, instead of out=",
                call.name()
            );
            Err(Error::wrong_type(text).into())
        }
        _ => Ok(()),
    }
}

#[cold]
fn no_row(name: &str) -> Failure {
    PyTypeError::new_err(format!("{name}() takes no variables: it is no operator")).into()
}

/// The results of a node as the call itself would return them.
fn results<'py>(
    py: Python<'py>,
    name: &str,
    row: &Operator,
    built: Built,
) -> Result<Bound<'py, PyAny>, Failure> {
    let mut found = Vec::with_capacity(built.lists.len());
    let mut next = 0;
    for list in built.lists {
        let mut take = || {
            next += 1;
            variable::object(py, Variable::output(built.node.clone(), next - 1))
        };
        found.push(match list {
            None => take()?,
            Some(count) => {
                let items = (0..count).map(|_| take()).collect::<PyResult<Vec<_>>>()?;
                PyTuple::new(py, items)?.into_any()
            }
        });
    }
    if found.len() == 1 {
        return Ok(found.remove(0));
    }
    let tuple = PyTuple::new(py, found)?;
    let fields: Vec<&str> = row.results.iter().map(|it| it.name).collect();
    let classes = rows::tables().map_or(&[][..], |it| it.named_tuples);
    let named = |it: &&&crate::NamedTuple| it.fields() == fields;
    let class = classes.iter().filter(named).find(|it| it.name() == name);
    match class.or_else(|| classes.iter().find(named)) {
        // SAFETY: `named` returns a new reference.
        Some(class) => Ok(unsafe { Bound::from_owned_ptr(py, class.named(&tuple)?) }),
        None => Ok(tuple.into_any()),
    }
}

/// A node of a row whose arguments are these objects, in the order of its parameters; its only
/// result.
///
/// # Errors
///
/// What the call itself would raise; a module without this operator.
pub(super) fn row<'py>(
    py: Python<'py>,
    name: &str,
    objects: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let row = rows::find(name);
    let row = row.ok_or_else(|| PyTypeError::new_err(format!("this module has no {name}")))?;
    let mut inputs = Inputs::default();
    let mut arguments = Vec::with_capacity(row.params.len());
    for (at, param) in row.params.iter().enumerate() {
        arguments.push(match objects.get(at) {
            Some(object) => inputs.argument(object, &param.slot.ty)?,
            None => Argument::Value(default(param)),
        });
    }
    let built =
        opwright_graph::row(row, inputs.0, arguments, place::current(py)).map_err(raised)?;
    Ok(results(py, row.base_name(), row, built)?)
}
