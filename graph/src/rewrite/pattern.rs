//! What a rule looks for, and what it puts in its place.

use std::sync::Arc;

use opwright_formula::Pattern;
use opwright_runtime::op::{Operator, Param, Type, Value};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{Error, Result, Scalar};

use super::fold;
use crate::apply::Apply;
use crate::argument::Argument;
use crate::failure::Failure;
use crate::op::Op;
use crate::rows::Rows;
use crate::same;
use crate::variable::Variable;

/// The variables that stand for the names of a pattern.
pub type Bindings = Vec<(String, Variable)>;

/// Whether a variable is computed like this.
pub(super) fn matches(pattern: &Pattern, variable: &Variable, bound: &mut Bindings) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Int(it) => is_number(variable, Scalar::Int(*it)),
        Pattern::Float(it) => is_number(variable, Scalar::Float(*it)),
        Pattern::Name(name, _) => match bound.iter().find(|(it, _)| it == name) {
            Some((_, known)) => is_same(known, variable),
            None => {
                bound.push((name.clone(), variable.clone()));
                true
            }
        },
        Pattern::Call(name, _, args) => variable
            .owner()
            .is_some_and(|(node, index)| index == 0 && is_call(node, name, args, bound)),
    }
}

/// What a pattern stands for, of these variables.
///
/// # Errors
///
/// What the calls in it report; an operator or a name that does not exist.
pub(super) fn build(pattern: &Pattern, bound: &Bindings, rows: &Rows) -> Result<Variable, Failure> {
    match pattern {
        Pattern::Any => Err(Error::value("`_` stands for nothing in a replacement").into()),
        Pattern::Int(it) => Ok(constant(Scalar::Int(*it))),
        Pattern::Float(it) => Ok(constant(Scalar::Float(*it))),
        Pattern::Name(name, _) => {
            let known = bound.iter().find(|(it, _)| it == name);
            let unknown = || Error::value(format_args!("`{name}` stands in no pattern"));
            Ok(known.ok_or_else(unknown)?.1.clone())
        }
        Pattern::Call(name, _, args) => {
            let unknown = || Error::value(format_args!("there is no overload `{name}`"));
            let row = rows.find(name).ok_or_else(unknown)?;
            let args = args.iter().map(|it| build(it, bound, rows));
            call(row, args.collect::<Result<Vec<_>, _>>()?)
        }
    }
}

/// Whether a node calls this operator with arguments like these; others have their defaults.
fn is_call(node: &Apply, name: &str, args: &[Pattern], bound: &mut Bindings) -> bool {
    match node.op() {
        Op::Row(row) => {
            let (base, _) = row.parts();
            if (row.name != name && base != name) || args.len() > row.params.len() {
                return false;
            }
            let (given, rest) = node.arguments().split_at(args.len());
            let rest = rest.iter().zip(&row.params[args.len()..]);
            rest.clone().all(|(argument, param)| is_default(argument, param))
                && given.iter().zip(args).all(|(argument, pattern)| match argument {
                    Argument::Input(at) => matches(pattern, &node.inputs()[*at], bound),
                    Argument::Value(value) => is_value(pattern, value),
                    Argument::List(_) => *pattern == Pattern::Any,
                })
        }
        Op::Custom(op) => {
            op.to_string() == name
                && args.len() == node.inputs().len()
                && node.inputs().iter().zip(args).all(|(it, pattern)| matches(pattern, it, bound))
        }
    }
}

fn is_default(argument: &Argument, param: &Param) -> bool {
    let default = param.default.map_or(Value::None, |it| it.value());
    matches!(argument, Argument::Value(it) if same::values(it, &default))
}

fn is_value(pattern: &Pattern, value: &Value) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Int(it) => value.scalar().is_ok_and(|value| is_equal(value, Scalar::Int(*it))),
        Pattern::Float(it) => value.scalar().is_ok_and(|value| is_equal(value, Scalar::Float(*it))),
        Pattern::Name(..) | Pattern::Call(..) => false,
    }
}

/// One variable, or two constants of one number.
fn is_same(a: &Variable, b: &Variable) -> bool {
    let constants = || Some(same::values(a.as_constant()?, b.as_constant()?));
    a == b || constants() == Some(true)
}

fn is_number(variable: &Variable, number: Scalar) -> bool {
    let value = match variable.as_constant() {
        Some(Value::Tensor(it)) if it.ndim() == 0 => it.to_scalar().ok(),
        Some(value) => value.scalar().ok(),
        None => None,
    };
    value.is_some_and(|it| is_equal(it, number))
}

fn is_equal(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        (Scalar::Int(int), Scalar::Float(float)) | (Scalar::Float(float), Scalar::Int(int)) => {
            float == int as f64
        }
        (Scalar::Float(a), Scalar::Float(b)) => a == b,
        _ => false,
    }
}

fn constant(number: Scalar) -> Variable {
    let plain = Plain::of_dtype(number.storage_dtype());
    Variable::constant(Arc::new(plain), number.into(), None)
}

/// A call with these for the first parameters.
fn call(row: &'static Operator, args: Vec<Variable>) -> Result<Variable, Failure> {
    let mut inputs: Vec<Variable> = Vec::new();
    let mut arguments = Vec::with_capacity(row.params.len());
    let mut args = args.into_iter();
    for param in row.params {
        arguments.push(match args.next() {
            None => Argument::Value(param.default.map_or(Value::None, |it| it.value())),
            Some(variable) => match variable.as_constant() {
                // What is no tensor stays a value.
                Some(value) if param.slot.ty != Type::Tensor && !is_tensor(&variable) => {
                    Argument::Value(value.clone())
                }
                _ => {
                    let known = inputs.iter().position(|it| *it == variable);
                    Argument::Input(known.unwrap_or_else(|| {
                        inputs.push(variable);
                        inputs.len() - 1
                    }))
                }
            },
        });
    }
    let node = crate::build::row(row, inputs, arguments, None)?.node;
    Ok(fold::constant(&node, 0).unwrap_or_else(|| Variable::output(node, 0)))
}

fn is_tensor(variable: &Variable) -> bool {
    variable.ty().downcast::<TensorType>().is_some()
}
