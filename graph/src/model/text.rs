//! Text of values, arguments and nodes.

use std::fmt::Write;

use opwright_runtime::op::{Param, Value};
use opwright_runtime::types::{NativeStruct, TensorType, TypeRef};
use opwright_runtime::{Scalar, Tensor, view};

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::op::Op;
use crate::model::structural_equality;
use crate::model::variable::Variable;

/// Constants with more elements are shown by their shape.
const MOST_ELEMENTS: usize = 6;

/// What a node does, with the values that are no variables and not the default:
/// `topk{k=2}`.
pub(crate) fn op(node: &Apply) -> String {
    let settings = match node.op() {
        Op::Row(row) => {
            let named = row.params.iter().zip(node.arguments());
            let said = named.filter(|(param, argument)| !is_default(param, argument));
            said.filter(|(_, it)| !is_input(it)).map(setting).collect::<Vec<_>>()
        }
        Op::Custom(it) => it.settings().iter().map(|(name, it)| format!("{name}={it}")).collect(),
    };
    if settings.is_empty() {
        node.op().to_string()
    } else {
        format!("{}{{{}}}", node.op(), settings.join(", "))
    }
}

/// A parameter and its value; those of helpers have no names.
fn setting((param, shown): (&Param, &NodeArgument)) -> String {
    match param.slot.name {
        "" => argument(shown),
        name => format!("{name}={}", argument(shown)),
    }
}

/// What a result of a node is called: `exp`, `topk{k=2}.1`.
pub(crate) fn result(node: &Apply, index: usize) -> String {
    let text = op(node);
    if index > 0 { format!("{text}.{index}") } else { text }
}

/// What has no owner: the value of a constant, the name of anything else.
pub(crate) fn leaf(variable: &Variable) -> String {
    match (variable.as_constant(), variable.label().name()) {
        (Some(it), Some(name)) => format!("{name}{{{}}}", of_type(variable.ty(), it)),
        (Some(it), None) => of_type(variable.ty(), it),
        (None, _) => variable.to_string(),
    }
}

/// A value as its type shows it: `Interval(lo=1.0, hi=3.0)`.
fn of_type(ty: &TypeRef, shown: &Value) -> String {
    if let (Some(parts), Value::Native(it)) = (ty.downcast::<NativeStruct>(), shown) {
        let structure = parts.structure();
        let parts = structure.parts.iter().filter_map(|part| {
            Some(format!("{}={}", part.name, of_type(&(part.ty)(), &(part.get)(it)?)))
        });
        return format!("{}({})", structure.name, parts.collect::<Vec<_>>().join(", "));
    }
    ty.text(shown).unwrap_or_else(|| value(shown))
}

/// What is known of a shape: `(2, ?)`.
pub(crate) fn extents(ty: &TensorType) -> String {
    let extent = |it: &Option<i64>| it.map_or_else(|| "?".to_owned(), |it| it.to_string());
    listed(&ty.shape().iter().map(extent).collect::<Vec<_>>())
}

/// A shape as Python writes it.
pub(crate) fn dims(shape: &[i64]) -> String {
    listed(&shape.iter().map(i64::to_string).collect::<Vec<_>>())
}

/// A value as Python writes it.
pub(crate) fn value(shown: &Value) -> String {
    match shown {
        Value::None => "None".to_owned(),
        Value::Bool(it) => number(Scalar::Bool(*it)),
        Value::Int(it) => it.to_string(),
        Value::Float(it) => number(Scalar::Float(*it)),
        Value::Complex(it) => number(Scalar::Complex(*it)),
        Value::Str(it) => format!("'{it}'"),
        Value::DType(it) => it.name().to_owned(),
        Value::Tensor(it) => tensor(it),
        Value::List(items) => listed(&items.iter().map(value).collect::<Vec<_>>()),
        Value::Layout(it) => it.to_string(),
        Value::Device(it) => it.to_string(),
        Value::MemoryFormat(it) => it.to_string(),
        Value::Generator(_) => "Generator".to_owned(),
        Value::Storage(_) => "Storage".to_owned(),
        Value::Native(it) => it.name().to_owned(),
    }
}

fn is_default(param: &Param, argument: &NodeArgument) -> bool {
    match (param.default, argument) {
        (Some(default), NodeArgument::Value(it)) => {
            structural_equality::values(&default.value(), it)
        }
        _ => false,
    }
}

/// Whether it is nothing but variables, which are shown below.
fn is_input(argument: &NodeArgument) -> bool {
    match argument {
        NodeArgument::Input(_) => true,
        NodeArgument::Value(_) => false,
        NodeArgument::List(items) => items.iter().all(is_input),
    }
}

/// Variables in a list stand below; their places are marked.
fn argument(shown: &NodeArgument) -> String {
    match shown {
        NodeArgument::Input(_) => "·".to_owned(),
        NodeArgument::Value(it) => value(it),
        NodeArgument::List(items) => listed(&items.iter().map(argument).collect::<Vec<_>>()),
    }
}

fn listed(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        items => format!("({})", items.join(", ")),
    }
}

fn number(shown: Scalar) -> String {
    match shown {
        Scalar::Bool(it) => if it { "True" } else { "False" }.to_owned(),
        Scalar::Int(it) => it.to_string(),
        Scalar::Float(it) if it.is_nan() => "nan".to_owned(),
        Scalar::Float(it) => format!("{it:?}"),
        Scalar::Complex(it) => format!("({:?}{:+?}j)", it.re, it.im),
    }
}

fn tensor(shown: &Tensor) -> String {
    if shown.numel() > MOST_ELEMENTS || shown.device().is_meta() {
        return format!("tensor({}, shape {})", shown.dtype().name(), shape(shown));
    }
    let mut text = String::new();
    elements(shown, &mut text).map_or_else(|_| shape(shown), |()| text)
}

fn shape(shown: &Tensor) -> String {
    listed(&shown.shape().iter().map(i64::to_string).collect::<Vec<_>>())
}

/// The elements in brackets, a pair for each dimension.
fn elements(shown: &Tensor, text: &mut String) -> opwright_runtime::Result<()> {
    if shown.ndim() == 0 {
        text.push_str(&number(shown.to_scalar()?));
        return Ok(());
    }
    text.push('[');
    for at in 0..shown.shape()[0] {
        let _ = text.write_str(if at > 0 { ", " } else { "" });
        elements(&view::select(shown, 0, at)?, text)?;
    }
    text.push(']');
    Ok(())
}
