//! Sample calls: arguments that are made anew for each call.

use std::fmt::{self, Display as _};

use super::elements::SampleElements;
use crate::op::{Operator, Param, Value};
use crate::{Device, Generator, Result};

/// Arguments of a call, one for each parameter.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) given: Vec<SampleArg>,
    /// What is special about it.
    pub(super) kind: &'static str,
}

/// An argument; tensors and generators are made anew for each call.
#[derive(Clone, Debug)]
pub(super) enum SampleArg {
    Value(Value),
    Tensor(SampleElements),
    /// A tensor that has only a shape and a dtype.
    OnMeta(SampleElements),
    /// The memory of a tensor.
    Storage(SampleElements),
    /// A generator with this seed.
    Generator(u64),
    List(Vec<SampleArg>),
}

/// The arguments of a call that an overload takes.
#[derive(Clone, Debug)]
pub struct Arguments(Vec<(&'static str, SampleArg)>);

impl Arguments {
    /// Without those that are the default.
    pub(super) fn of(operator: &Operator, sample: Sample) -> Self {
        let is_default = |param: &Param, given: &SampleArg| {
            param
                .default
                .is_some_and(|it| SampleArg::Value(it.value()).to_string() == given.to_string())
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
        self.given.iter().map(SampleArg::value).collect()
    }

    /// The same call with other tensors.
    pub(super) fn changed(
        &self,
        kind: &'static str,
        change: &dyn Fn(&SampleElements) -> SampleElements,
    ) -> Self {
        Sample { given: self.given.iter().map(|it| it.changed(change)).collect(), kind }
    }

    /// The same call with one argument replaced.
    pub(super) fn with(&self, idx: usize, given: SampleArg) -> Self {
        let mut changed = self.clone();
        changed.given[idx] = given;
        changed
    }

    /// The same call with tensors that have no elements.
    pub(super) fn on_meta(&self) -> Self {
        Sample { given: self.given.iter().map(SampleArg::on_meta).collect(), kind: self.kind }
    }

    /// All tensors, in the order of the parameters.
    pub(super) fn elements(&self) -> Vec<&SampleElements> {
        self.given.iter().flat_map(SampleArg::elements).collect()
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
        value => SampleArg::Value(value.clone()).to_string(),
    };
    let names = operator.params.iter().map(|it| it.slot.name);
    let given: Vec<String> =
        names.zip(values).map(|(name, value)| format!("{name}={}", given(value))).collect();
    format!("{}({})", operator.name, given.join(", "))
}

impl SampleArg {
    pub(super) fn is_tensor(&self) -> bool {
        matches!(self, SampleArg::Tensor(_))
    }

    /// What makes a value anew.
    pub(super) fn of(value: &Value) -> Result<SampleArg> {
        Ok(match value {
            Value::Tensor(it) => SampleArg::Tensor(SampleElements::of(it)?),
            Value::List(items) if items.iter().any(|it| matches!(it, Value::Tensor(_))) => {
                SampleArg::List(items.iter().map(SampleArg::of).collect::<Result<_>>()?)
            }
            other => SampleArg::Value(other.clone()),
        })
    }

    fn value(&self) -> Result<Value> {
        Ok(match self {
            SampleArg::Value(value) => value.clone(),
            SampleArg::Tensor(it) => Value::Tensor(it.tensor()?),
            SampleArg::OnMeta(it) => Value::Tensor(it.tensor()?.to_device(Device::Meta)?),
            SampleArg::Storage(it) => {
                it.tensor()?.storage().cloned().map_or(Value::None, Value::Storage)
            }
            SampleArg::Generator(seed) => Value::Generator(Generator::new(*seed)),
            SampleArg::List(items) => {
                Value::List(items.iter().map(SampleArg::value).collect::<Result<_>>()?)
            }
        })
    }

    fn changed(&self, change: &dyn Fn(&SampleElements) -> SampleElements) -> SampleArg {
        match self {
            SampleArg::Tensor(it) => SampleArg::Tensor(change(it)),
            SampleArg::List(items) => {
                SampleArg::List(items.iter().map(|it| it.changed(change)).collect())
            }
            other => other.clone(),
        }
    }

    pub(super) fn on_meta(&self) -> SampleArg {
        match self {
            SampleArg::Tensor(it) => SampleArg::OnMeta(it.clone()),
            SampleArg::List(items) => {
                SampleArg::List(items.iter().map(SampleArg::on_meta).collect())
            }
            other => other.clone(),
        }
    }

    fn elements(&self) -> Vec<&SampleElements> {
        match self {
            SampleArg::Tensor(it) => vec![it],
            SampleArg::List(items) => items.iter().flat_map(SampleArg::elements).collect(),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for SampleArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleArg::Value(value) => show(value, f),
            SampleArg::Tensor(it) => it.fmt(f),
            SampleArg::OnMeta(it) => write!(f, "{it} on meta"),
            SampleArg::Storage(it) => write!(f, "storage of {it}"),
            SampleArg::Generator(seed) => write!(f, "Generator({seed})"),
            SampleArg::List(items) => {
                let items: Vec<String> = items.iter().map(SampleArg::to_string).collect();
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
