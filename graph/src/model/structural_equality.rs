//! Structural equality of values, nodes and graphs.

use std::collections::HashSet;

use opwright_runtime::op::Value;

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::variable::{Variable, VariableKey};

/// Whether two values are the same for an operator; tensors only if they are one tensor.
pub(crate) fn values(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Complex(a), Value::Complex(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::DType(a), Value::DType(b)) => a == b,
        (Value::Layout(a), Value::Layout(b)) => a == b,
        (Value::Device(a), Value::Device(b)) => a == b,
        (Value::MemoryFormat(a), Value::MemoryFormat(b)) => a == b,
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| values(a, b))
        }
        (Value::Tensor(a), Value::Tensor(b)) => a.is_same(b),
        _ => false,
    }
}

/// Whether two arguments are the same, given the same inputs.
pub(crate) fn arguments(a: &NodeArgument, b: &NodeArgument) -> bool {
    match (a, b) {
        (NodeArgument::Input(a), NodeArgument::Input(b)) => a == b,
        (NodeArgument::Value(a), NodeArgument::Value(b)) => values(a, b),
        (NodeArgument::List(a), NodeArgument::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| arguments(a, b))
        }
        _ => false,
    }
}

/// Whether two nodes do the same with their inputs.
pub(crate) fn nodes(a: &Apply, b: &Apply) -> bool {
    a.op().same(b.op())
        && a.arguments().len() == b.arguments().len()
        && a.arguments().iter().zip(b.arguments()).all(|(a, b)| arguments(a, b))
}

/// Whether both compute the same of the same leaves, by the same calls: nothing is known of
/// algebra.
pub fn equal_computations(xs: &[Variable], ys: &[Variable]) -> bool {
    if xs.len() != ys.len() {
        return false;
    }
    let mut compared: HashSet<(VariableKey, VariableKey)> = HashSet::new();
    let mut pending: Vec<(Variable, Variable)> =
        xs.iter().cloned().zip(ys.iter().cloned()).collect();
    while let Some((a, b)) = pending.pop() {
        if a == b || !compared.insert((a.key(), b.key())) {
            continue;
        }
        match (a.owner(), b.owner()) {
            (Some((one, at)), Some((other, place))) if at == place && nodes(one, other) => {
                if one.inputs().len() != other.inputs().len() {
                    return false;
                }
                pending.extend(one.inputs().iter().cloned().zip(other.inputs().iter().cloned()));
            }
            (None, None) if same_constants(&a, &b) => {}
            _ => return false,
        }
    }
    true
}

fn same_constants(a: &Variable, b: &Variable) -> bool {
    match (a.as_constant(), b.as_constant()) {
        (Some(one), Some(other)) => a.ty().equals(&**b.ty()) && a.ty().same(one, other),
        _ => false,
    }
}
