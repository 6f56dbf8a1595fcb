//! Pattern matching on graphs, and construction of replacements.

use std::sync::Arc;

use opwright_formula::{Arg, Pattern};
use opwright_runtime::op::{Operator, Param, Type, Value};
use opwright_runtime::types::{ListType, Plain, TensorType};
use opwright_runtime::{Error, Result, Scalar, Tensor};

use super::constant_folding;
use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::op::Op;
use crate::model::operator_tables::OperatorTables;
use crate::model::structural_equality;
use crate::model::variable::Variable;

/// The variables that stand for the names of a pattern.
pub type Bindings = Vec<(String, Variable)>;

/// Whether a variable is computed like this.
pub(super) fn matches(pattern: &Pattern, variable: &Variable, bound: &mut Bindings) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Int(it) => is_number(variable, Scalar::Int(*it)),
        Pattern::Float(it) => is_number(variable, Scalar::Float(*it)),
        Pattern::Bool(it) => is_number(variable, Scalar::Bool(*it)),
        Pattern::Str(_) => false,
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
pub(super) fn build(
    pattern: &Pattern,
    bound: &Bindings,
    rows: &OperatorTables,
) -> Result<Variable, GraphError> {
    match pattern {
        Pattern::Any => Err(Error::value("`_` stands for nothing in a replacement").into()),
        Pattern::Int(it) => Ok(constant(Scalar::Int(*it))),
        Pattern::Float(it) => Ok(constant(Scalar::Float(*it))),
        Pattern::Bool(it) => Ok(constant(Scalar::Bool(*it))),
        Pattern::Str(text) => {
            Ok(Variable::constant(Arc::new(Plain::Text), Value::Str(text.clone()), None))
        }
        Pattern::Name(name, _) => {
            let known = bound.iter().find(|(it, _)| it == name);
            let unknown = || Error::value(format_args!("`{name}` stands in no pattern"));
            Ok(known.ok_or_else(unknown)?.1.clone())
        }
        Pattern::Call(name, _, args) => {
            let unknown = || Error::value(format_args!("there is no overload `{name}`"));
            let row = rows.find(name).ok_or_else(unknown)?;
            call(row, args, &|it| build(it, bound, rows))
        }
    }
}

/// Whether a node calls this operator with arguments like these; others have their defaults.
fn is_call(node: &Apply, name: &str, args: &[Arg], bound: &mut Bindings) -> bool {
    match node.op() {
        Op::Row(row) => {
            let (base, _) = row.parts();
            if (row.name != name && base != name) || !takes(row, args) {
                return false;
            }
            let pairs = || node.arguments().iter().zip(row.params).enumerate();
            // What has to be a default is looked at first: it binds no name.
            let given = |(at, (_, param)): &(usize, (&NodeArgument, &Param))| {
                Arg::of(args, *at, param.slot.name)
            };
            pairs().all(|it| given(&it).is_some() || is_default(it.1.0, it.1.1))
                && pairs().all(|it| match (it.1.0, given(&it)) {
                    (_, None) => true,
                    (NodeArgument::Input(at), Some(pattern)) => {
                        matches(pattern, &node.inputs()[*at], bound)
                    }
                    (NodeArgument::Value(value), Some(pattern)) => is_value(pattern, value, bound),
                    (NodeArgument::List(_), Some(pattern)) => *pattern == Pattern::Any,
                })
        }
        Op::Custom(op) => {
            op.to_string() == name
                && args.len() == node.inputs().len()
                && Arg::positional(args) == args.len()
                && node.inputs().iter().zip(args).all(|(it, arg)| matches(&arg.value, it, bound))
        }
    }
}

fn is_default(argument: &NodeArgument, param: &Param) -> bool {
    let default = param.default.map_or(Value::None, |it| it.value());
    matches!(argument, NodeArgument::Value(it) if structural_equality::values(it, &default))
}

/// Whether a row has parameters for these arguments.
pub fn takes(row: &Operator, args: &[Arg]) -> bool {
    let rest = row.params.get(Arg::positional(args)..);
    rest.is_some_and(|rest| {
        let mut keywords = args.iter().filter_map(|it| it.keyword.as_ref());
        keywords.all(|name| rest.iter().any(|it| it.slot.name == name.text))
    })
}

/// Whether a value is as the pattern says; a name stands for the number as a constant.
fn is_value(pattern: &Pattern, value: &Value, bound: &mut Bindings) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Int(it) => value.scalar().is_ok_and(|value| is_equal(value, Scalar::Int(*it))),
        Pattern::Float(it) => value.scalar().is_ok_and(|value| is_equal(value, Scalar::Float(*it))),
        Pattern::Bool(it) => matches!(value, Value::Bool(value) if value == it),
        Pattern::Str(text) => matches!(value, Value::Str(value) if value == text),
        Pattern::Name(..) => as_constant(value).is_some_and(|it| matches(pattern, &it, bound)),
        Pattern::Call(..) => false,
    }
}

/// A value that a name can stand for: a number, or a list of integers.
fn as_constant(value: &Value) -> Option<Variable> {
    match value {
        Value::List(items) if items.iter().all(|it| matches!(it, Value::Int(_))) => {
            let ty = ListType::new(Arc::new(Plain::Int64), None);
            Some(Variable::constant(Arc::new(ty), value.clone(), None))
        }
        _ => value.scalar().ok().map(constant),
    }
}

/// One variable, or two constants of one number.
fn is_same(a: &Variable, b: &Variable) -> bool {
    let constants = || Some(structural_equality::values(a.as_constant()?, b.as_constant()?));
    a == b || constants() == Some(true)
}

fn is_number(variable: &Variable, number: Scalar) -> bool {
    number_of(variable).is_some_and(|it| is_equal(it, number))
}

/// The number that a constant is, if it is one.
pub(super) fn number_of(variable: &Variable) -> Option<Scalar> {
    match variable.as_constant()? {
        Value::Tensor(it) if it.ndim() == 0 => it.to_scalar().ok(),
        value => value.scalar().ok(),
    }
}

fn is_equal(a: Scalar, b: Scalar) -> bool {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a == b,
        // A zero with a sign is no integer.
        (Scalar::Int(int), Scalar::Float(float)) | (Scalar::Float(float), Scalar::Int(int)) => {
            float.to_bits() == (int as f64).to_bits()
        }
        (Scalar::Float(a), Scalar::Float(b)) => a == b,
        (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
        _ => false,
    }
}

fn constant(number: Scalar) -> Variable {
    let plain = Plain::of_dtype(number.storage_dtype());
    Variable::constant(Arc::new(plain), number.into(), None)
}

/// A call with these arguments, which `build` makes.
fn call(
    row: &'static Operator,
    args: &[Arg],
    build: &dyn Fn(&Pattern) -> Result<Variable, GraphError>,
) -> Result<Variable, GraphError> {
    let mut inputs: Vec<Variable> = Vec::new();
    let mut arguments = Vec::with_capacity(row.params.len());
    for (at, param) in row.params.iter().enumerate() {
        let given = Arg::of(args, at, param.slot.name).map(build).transpose()?;
        arguments.push(match given {
            None => NodeArgument::Value(param.default.map_or(Value::None, |it| it.value())),
            Some(variable) => match variable.as_constant() {
                // What is no tensor stays a value.
                Some(value) if param.slot.ty != Type::Tensor && !is_tensor(&variable) => {
                    NodeArgument::Value(value.clone())
                }
                _ => {
                    let known = inputs.iter().position(|it| *it == variable);
                    NodeArgument::Input(known.unwrap_or_else(|| {
                        inputs.push(variable);
                        inputs.len() - 1
                    }))
                }
            },
        });
    }
    if let Some(numbers) = inputs.iter().map(wide).collect::<Option<Vec<Variable>>>()
        && !numbers.is_empty()
    {
        let node = crate::build::call::row(row, numbers, arguments, None)?.node;
        let number = constant_folding::constant(&node, 0).and_then(|it| number_of(&it));
        let uncomputed = || Error::value("what stands for numbers alone is one");
        return Ok(constant(number.ok_or_else(uncomputed)?));
    }
    let node = crate::build::call::row(row, inputs, arguments, None)?.node;
    Ok(constant_folding::constant(&node, 0).unwrap_or_else(|| Variable::output(node, 0)))
}

/// A number as a tensor that does not give way, so that what is computed of it is not rounded to
/// the default dtype.
fn wide(variable: &Variable) -> Option<Variable> {
    variable.ty().downcast::<Plain>()?;
    let number = number_of(variable)?;
    let tensor = Tensor::from_scalar(number, number.storage_dtype()).ok()?;
    let ty = TensorType::of(&tensor).shared();
    Some(Variable::constant(ty, Value::Tensor(tensor), None))
}

fn is_tensor(variable: &Variable) -> bool {
    variable.ty().downcast::<TensorType>().is_some()
}
