//! A call on variables makes a node.

use opwright_graph::{Built, CallSite, NodeArgument, Variable};
use opwright_runtime::op::{Operator, Param, Value};
use opwright_runtime::{DType, Error};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arguments::Inputs;
use super::failure::{of_call, raised};
use super::{call_site, rows, tensor_members, variable};
use crate::args::Call;
use crate::call::hooks::Again;
use crate::call::tables::of_module;
use crate::object::Failure;
use crate::raw::NewReference;

/// The results of a call with a variable among its arguments: a new reference.
///
/// # Errors
///
/// What the call itself would raise; `TypeError` for what writes to a variable.
#[cold]
pub(super) fn call<'py>(
    call: &Call<'_, 'py>,
    row: Option<&'static Operator>,
    again: Again<'_, 'py>,
) -> Result<NewReference, Failure> {
    let Some(called) = row else {
        return Ok(tensor_members::call(call, again)?.into());
    };
    refuse_out(call)?;
    let row = functional(called)?;
    let mut inputs = Inputs::default();
    let mut arguments = Vec::with_capacity(row.params.len());
    for param in row.params {
        arguments.push(argument(call, param, &mut inputs)?);
    }
    let py = call.py();
    if called.mutates() {
        let built = in_place(called, row, inputs.0, arguments, call_site::current(py))?;
        return Ok(results(py, call.name(), row, built)?.into());
    }
    let built =
        opwright_graph::row(row, inputs.0, arguments, call_site::current(py)).map_err(of_call)?;
    Ok(results(py, call.name(), row, built)?.into())
}

/// The argument of a parameter: that of the same name.
fn argument(
    call: &Call<'_, '_>,
    param: &Param,
    inputs: &mut Inputs,
) -> Result<NodeArgument, Failure> {
    let name = param.slot.name;
    let given = call.signature().params.iter().position(|it| is_called(it.name, name));
    match given {
        Some(at) if call.has(at) => inputs.argument(&call.gathered(at)?, &param.slot.ty),
        Some(_) => Ok(NodeArgument::Value(default(param))),
        None => match call.receiver_if_any().filter(|_| name == "self") {
            Some(receiver) => inputs.argument(&receiver, &param.slot.ty),
            None => Ok(NodeArgument::Value(default(param))),
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

/// The node of the functional form, whose results are of the dtypes that are written to.
fn in_place(
    called: &'static Operator,
    row: &'static Operator,
    inputs: Vec<Variable>,
    arguments: Vec<NodeArgument>,
    place: Option<CallSite>,
) -> Result<Built, Failure> {
    let written = called.params.iter().position(|it| it.slot.writes);
    let written = written.and_then(|at| match arguments.get(at) {
        Some(NodeArgument::Input(at)) => inputs.get(*at).cloned(),
        _ => None,
    });
    // What cannot be written to it is refused as by the call itself.
    let is_variable = written.as_ref().is_some_and(|it| it.as_constant().is_none());
    if is_variable && called.params.len() == arguments.len() {
        opwright_graph::infer::infer(called, &inputs, &arguments)?;
    }
    let built = opwright_graph::row(row, inputs, arguments, place.clone()).map_err(of_call)?;
    let (Some(written), [output]) = (written, built.node.outputs()) else { return Ok(built) };
    match (written.ty().element(), output.ty().element()) {
        (Some(dtype), Some(found)) if dtype != found => {
            let result = Variable::output(built.node.clone(), 0);
            cast(&result, dtype, place)
        }
        _ => Ok(built),
    }
}

/// A variable as one of another dtype.
pub(super) fn cast(
    variable: &Variable,
    dtype: DType,
    place: Option<CallSite>,
) -> Result<Built, Failure> {
    let row = rows::find("_to_copy").ok_or_else(|| no_operator("_to_copy"))?;
    let argument = |param: &Param| match param.slot.name {
        "self" => NodeArgument::Input(0),
        "dtype" => NodeArgument::Value(Value::DType(dtype)),
        _ => NodeArgument::Value(default(param)),
    };
    let arguments = row.params.iter().map(argument).collect();
    opwright_graph::row(row, vec![variable.clone()], arguments, place).map_err(of_call)
}

#[cold]
fn no_operator(name: &str) -> PyErr {
    PyTypeError::new_err(format!("this module has no {name}"))
}

/// What gives new values instead of writing to its arguments.
fn functional(row: &'static Operator) -> Result<&'static Operator, Failure> {
    if !row.mutates() {
        return Ok(row);
    }
    if row.results.is_empty() {
        return Err(writes_only(row).into());
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

#[cold]
fn writes_only(row: &Operator) -> Error {
    let instead = row.functional.map_or_else(String::new, |it| format!("; {it} makes new ones"));
    Error::wrong_type(format_args!("it returns nothing, and variables are not written to{instead}"))
}

fn refuse_out(call: &Call<'_, '_>) -> Result<(), Failure> {
    let out = call.signature().params.iter().position(|it| it.name == "out");
    match out {
        Some(at) if call.has(at) && !call.given(at).is_none() => {
            let text =
                "variables are not written to; use the result, or `updates=`, instead of out=";
            Err(Error::wrong_type(text).into())
        }
        _ => Ok(()),
    }
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
    let classes = of_module().map_or(&[][..], |it| it.named_tuples);
    let named = |it: &&&crate::NamedTuple| it.fields() == fields;
    let class = classes.iter().filter(named).find(|it| it.name() == name);
    match class.or_else(|| classes.iter().find(named)) {
        Some(class) => Ok(class.named(&tuple)?.into_bound(py)),
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
    let row = rows::find(name).ok_or_else(|| no_operator(name))?;
    let mut inputs = Inputs::default();
    let mut arguments = Vec::with_capacity(row.params.len());
    for (at, param) in row.params.iter().enumerate() {
        arguments.push(match objects.get(at) {
            Some(object) => inputs.argument(object, &param.slot.ty)?,
            None => NodeArgument::Value(default(param)),
        });
    }
    let built =
        opwright_graph::row(row, inputs.0, arguments, call_site::current(py)).map_err(raised)?;
    Ok(results(py, row.base_name(), row, built)?)
}
