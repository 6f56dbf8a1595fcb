//! What is unknown in a call.

use opwright_runtime::op::Value;
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{Device, Error, Result, Tensor};

use super::Probe;
use crate::fit::{Numbers, fit};
use crate::variable::Variable;

/// The unknown extents and integers of the inputs of a call.
pub(super) struct Symbols(Vec<Symbol>);

/// Something unknown.
pub(super) struct Symbol {
    /// The input that it belongs to.
    pub(super) input: usize,
    /// The dimension, counted from the right, of a tensor.
    pub(super) from_right: Option<usize>,
}

impl Symbols {
    /// Those of these inputs.
    pub(super) fn of(inputs: &[Variable]) -> Symbols {
        let mut found = Vec::new();
        for (input, variable) in inputs.iter().enumerate() {
            if variable.as_constant().is_some() {
                continue;
            }
            if let Some(ty) = variable.ty().downcast::<TensorType>() {
                let unknown = ty.shape().iter().enumerate().filter(|(_, it)| it.is_none());
                found.extend(
                    unknown.map(|(dim, _)| Symbol { input, from_right: Some(ty.ndim() - 1 - dim) }),
                );
            } else if variable.ty().downcast() == Some(&Plain::Int64) {
                found.push(Symbol { input, from_right: None });
            }
        }
        Symbols(found)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether all is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.0.iter()
    }

    /// The arguments of a call where the symbols stand for these numbers.
    pub(super) fn values(&self, probe: &Probe<'_>, assigned: &[i64]) -> Result<Vec<Value>> {
        let numbers = if probe.numbers { Numbers::Count } else { Numbers::GiveWay };
        let mut inputs = Vec::with_capacity(probe.inputs.len());
        for (at, variable) in probe.inputs.iter().enumerate() {
            inputs.push(self.stand_in(at, variable, assigned)?);
        }
        let mut values = Vec::with_capacity(probe.arguments.len());
        for (param, argument) in probe.row.params.iter().zip(probe.arguments) {
            let value = argument.value(&mut |at| Ok(inputs[at].clone()))?;
            values.push(fit(value, &param.slot.ty, numbers)?);
        }
        on_meta(probe, &mut values);
        Ok(values)
    }

    /// A value of the variable's type that costs nothing.
    fn stand_in(&self, input: usize, variable: &Variable, assigned: &[i64]) -> Result<Value> {
        if let Some(value) = variable.as_constant() {
            return known(value);
        }
        if let Some(ty) = variable.ty().downcast::<TensorType>() {
            let extent = |(dim, known): (usize, &Option<i64>)| {
                known.unwrap_or_else(|| self.number(input, Some(ty.ndim() - 1 - dim), assigned))
            };
            let shape: Vec<i64> = ty.shape().iter().enumerate().map(extent).collect();
            return Tensor::allocate(&shape, ty.dtype(), Device::Meta).map(Value::Tensor);
        }
        match variable.ty().downcast::<Plain>() {
            Some(Plain::Int64) => Ok(Value::Int(self.number(input, None, assigned))),
            // A probability, as good as any other number.
            Some(Plain::Double) => Ok(Value::Float(0.5)),
            Some(Plain::Boolean) => Ok(Value::Bool(false)),
            Some(Plain::Complex128) => Ok(Value::Complex(0.5.into())),
            Some(Plain::Nothing) => Ok(Value::None),
            _ => Err(unknown(variable)),
        }
    }

    fn number(&self, input: usize, from_right: Option<usize>, assigned: &[i64]) -> i64 {
        let is = |it: &Symbol| it.input == input && it.from_right == from_right;
        self.0.iter().position(is).map_or(1, |at| assigned[at])
    }
}

/// A constant: numbers and single elements as they are, since kernels may read them.
fn known(value: &Value) -> Result<Value> {
    match value {
        Value::Tensor(it) if it.ndim() > 0 => {
            Tensor::allocate(it.shape(), it.dtype(), Device::Meta).map(Value::Tensor)
        }
        value => Ok(value.clone()),
    }
}

/// What would make a tensor out of numbers alone makes one without memory.
fn on_meta(probe: &Probe<'_>, values: &mut [Value]) {
    use opwright_runtime::op::Type;
    if values.iter().any(|it| !it.tensors().is_empty()) {
        return;
    }
    for (param, value) in probe.row.params.iter().zip(values) {
        if matches!(param.slot.ty, Type::Device | Type::Optional(Type::Device)) {
            *value = Value::Device(Device::Meta);
        }
    }
}

#[cold]
fn unknown(variable: &Variable) -> Error {
    Error::wrong_type(format_args!(
        "the types of the results hang on the value of {variable}, a variable of type {}",
        variable.ty()
    ))
}
