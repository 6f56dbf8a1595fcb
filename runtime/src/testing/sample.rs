//! Arguments of a call, before they are made.

use std::fmt::{self, Display as _};

use super::elements::Elements;
use crate::op::{Operator, Param, Value};
use crate::{Device, Generator, Result};

/// Arguments of a call, one for each parameter.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) given: Vec<Given>,
    /// What is special about it.
    pub(super) kind: &'static str,
}

/// An argument; tensors and generators are made anew for each call.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Value(Value),
    Tensor(Elements),
    /// A tensor that has only a shape and a dtype.
    OnMeta(Elements),
    /// The memory of a tensor.
    Storage(Elements),
    /// A generator with this seed.
    Generator(u64),
    List(Vec<Given>),
}

/// The arguments of a call that an overload takes.
#[derive(Clone, Debug)]
pub struct Arguments(Vec<(&'static str, Given)>);

impl Arguments {
    /// Without those that are the default.
    pub(super) fn of(operator: &Operator, sample: Sample) -> Self {
        let is_default = |param: &Param, given: &Given| {
            param
                .default
                .is_some_and(|it| Given::Value(it.value()).to_string() == given.to_string())
        };
        let all = operator.params.iter().zip(sample.given);
        let passed = all.filter(|(param, given)| !is_default(param, given));
        Arguments(passed.map(|(param, given)| (param.slot.name, given)).collect())
    }

    /// New ones, by the names of their parameters; what is not there has its default.
    ///
    /// # Errors
    ///
    /// `Memory` if a tensor does not fit into it.
    pub fn values(&self) -> Result<Vec<(&'static str, Value)>> {
        self.0.iter().map(|(name, given)| Ok((*name, given.value()?))).collect()
    }
}

impl Sample {
    /// New arguments.
    pub(super) fn values(&self) -> Result<Vec<Value>> {
        self.given.iter().map(Given::value).collect()
    }

    /// The same call with other tensors.
    pub(super) fn changed(
        &self,
        kind: &'static str,
        change: &dyn Fn(&Elements) -> Elements,
    ) -> Self {
        Sample { given: self.given.iter().map(|it| it.changed(change)).collect(), kind }
    }

    /// The same call with one argument replaced.
    pub(super) fn with(&self, idx: usize, given: Given) -> Self {
        let mut changed = self.clone();
        changed.given[idx] = given;
        changed
    }

    /// The same call with tensors that have no elements.
    pub(super) fn on_meta(&self) -> Self {
        Sample { given: self.given.iter().map(Given::on_meta).collect(), kind: self.kind }
    }

    /// All tensors, in the order of the parameters.
    pub(super) fn elements(&self) -> Vec<&Elements> {
        self.given.iter().flat_map(Given::elements).collect()
    }

    /// The call as text, with the names of the parameters.
    pub(super) fn shown(&self, operator: &Operator) -> String {
        let names = operator.params.iter().map(|it| it.slot.name);
        let given: Vec<String> =
            names.zip(&self.given).map(|(name, given)| format!("{name}={given}")).collect();
        format!("{}({})", operator.name, given.join(", "))
    }
}

/// A call with these arguments as text.
pub(super) fn shown_values(operator: &Operator, values: &[Value]) -> String {
    let given = |value: &Value| match value {
        Value::Tensor(it) => format!("Tensor({}, shape {:?})", it.dtype(), it.shape()),
        value => Given::Value(value.clone()).to_string(),
    };
    let names = operator.params.iter().map(|it| it.slot.name);
    let given: Vec<String> =
        names.zip(values).map(|(name, value)| format!("{name}={}", given(value))).collect();
    format!("{}({})", operator.name, given.join(", "))
}

impl Given {
    pub(super) fn is_tensor(&self) -> bool {
        matches!(self, Given::Tensor(_))
    }

    fn value(&self) -> Result<Value> {
        Ok(match self {
            Given::Value(value) => value.clone(),
            Given::Tensor(it) => Value::Tensor(it.tensor()?),
            Given::OnMeta(it) => Value::Tensor(it.tensor()?.to_device(Device::Meta)?),
            Given::Storage(it) => {
                it.tensor()?.storage().cloned().map_or(Value::None, Value::Storage)
            }
            Given::Generator(seed) => Value::Generator(Generator::new(*seed)),
            Given::List(items) => {
                Value::List(items.iter().map(Given::value).collect::<Result<_>>()?)
            }
        })
    }

    fn changed(&self, change: &dyn Fn(&Elements) -> Elements) -> Given {
        match self {
            Given::Tensor(it) => Given::Tensor(change(it)),
            Given::List(items) => Given::List(items.iter().map(|it| it.changed(change)).collect()),
            other => other.clone(),
        }
    }

    pub(super) fn on_meta(&self) -> Given {
        match self {
            Given::Tensor(it) => Given::OnMeta(it.clone()),
            Given::List(items) => Given::List(items.iter().map(Given::on_meta).collect()),
            other => other.clone(),
        }
    }

    fn elements(&self) -> Vec<&Elements> {
        match self {
            Given::Tensor(it) => vec![it],
            Given::List(items) => items.iter().flat_map(Given::elements).collect(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Given::Value(value) => show(value, f),
            Given::Tensor(it) => it.fmt(f),
            Given::OnMeta(it) => write!(f, "{it} on meta"),
            Given::Storage(it) => write!(f, "storage of {it}"),
            Given::Generator(seed) => write!(f, "Generator({seed})"),
            Given::List(items) => {
                let items: Vec<String> = items.iter().map(Given::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
        }
    }
}

fn show(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::None => f.write_str("None"),
        Value::Bool(it) => it.fmt(f),
        Value::Int(it) => it.fmt(f),
        Value::Float(it) => write!(f, "{it:?}"),
        Value::Complex(it) => it.fmt(f),
        Value::Str(it) => write!(f, "{it:?}"),
        Value::DType(it) => it.fmt(f),
        Value::Layout(it) => it.fmt(f),
        Value::Device(it) => it.fmt(f),
        Value::MemoryFormat(it) => it.fmt(f),
        Value::List(items) => {
            f.write_str("[")?;
            for (idx, item) in items.iter().enumerate() {
                f.write_str(if idx > 0 { ", " } else { "" })?;
                show(item, f)?;
            }
            f.write_str("]")
        }
        Value::Tensor(_) | Value::Generator(_) | Value::Storage(_) | Value::Native(_) => {
            write!(f, "{value:?}")
        }
    }
}
