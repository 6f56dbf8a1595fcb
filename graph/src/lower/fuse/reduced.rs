//! Fused reductions behind a chain.

use opwright_runtime::geometry::DimSet;
use opwright_runtime::iterate::fused::{self, Link};
use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::reduce::dims_of;
use opwright_runtime::types::TensorType;
use opwright_runtime::{Device, Error, Result, Tensor};

use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::op::{Op, Results};

/// A reduction that folds what a chain makes.
pub(super) struct FusedReduction {
    row: &'static Operator,
    /// What it gets beside the tensor.
    others: Vec<Value>,
    /// The link that it reads.
    pub(super) link: usize,
}

impl FusedReduction {
    /// That of a node that reads a link.
    pub(super) fn new(node: &Apply, link: usize) -> Option<FusedReduction> {
        let (row, others) = parts(node)?;
        Some(FusedReduction { row, others, link })
    }

    /// The results of the wanted links and of the reduction, which folds blocks while they are in
    /// the cache; nothing if it cannot.
    pub(super) fn fold(
        &self,
        links: &[Link<'_>],
        inputs: &[&Tensor],
        wanted: &[usize],
    ) -> Result<Option<Results>> {
        let Some(reduction) = self.row.reduction else { return Ok(None) };
        let mut result = None;
        let made = fused::reduce(links, inputs, wanted, self.link, &mut |source| {
            let like = Tensor::allocate(source.shape(), source.dtype(), Device::Meta)?;
            let Value::Tensor(like) = self.call(like)? else { return Err(no_tensor()) };
            let mut out = Tensor::allocate(like.shape(), like.dtype(), Device::Cpu)?;
            reduction(source, &mut self.others.clone(), &mut out)?;
            result = Some(Value::Tensor(out));
            Ok(())
        })?;
        Ok(made.zip(result).map(|(all, result)| {
            let all = all.into_iter().map(Value::Tensor);
            all.chain([result]).collect()
        }))
    }

    /// Calls the operator.
    pub(super) fn call(&self, read: Tensor) -> Result<Value> {
        let mut values = Vec::with_capacity(self.others.len() + 1);
        values.push(Value::Tensor(read));
        values.extend(self.others.iter().cloned());
        let results = (self.row.call)(&mut values)?;
        results.into_iter().next().ok_or_else(no_tensor)
    }
}

#[cold]
fn no_tensor() -> Error {
    Error::runtime("a reduction gave no tensor")
}

/// Whether a node is a reduction that can follow on a chain: over the last dimensions, with nothing
/// else open.
pub(super) fn reduces(node: &Apply) -> bool {
    is_over_last(node).unwrap_or(false)
}

fn is_over_last(node: &Apply) -> Option<bool> {
    let (row, mut others) = parts(node)?;
    let reduction = row.reduction?;
    let read = node.inputs()[0].ty().downcast::<TensorType>()?;
    let result = node.outputs()[0].ty().downcast::<TensorType>()?;
    let mut out = Tensor::allocate(&[], result.dtype(), Device::Cpu).ok()?;
    let dims =
        dims_of(read.ndim(), read.dtype(), |source| reduction(source, &mut others, &mut out))?;
    Some(are_last(dims, read.shape()))
}

/// Whether no dimension of several elements that is kept stands behind one that is not.
fn are_last(dims: DimSet, shape: &[Option<i64>]) -> bool {
    let several = shape.iter().enumerate().filter(|(_, it)| **it != Some(1));
    several.map(|(at, _)| dims.contains(at)).is_sorted()
}

/// The row of a reduction of one tensor, and its other arguments.
fn parts(node: &Apply) -> Option<(&'static Operator, Vec<Value>)> {
    let Op::Row(row) = node.op() else { return None };
    let is_tensor = |it: &Type| *it == Type::Tensor;
    let (first, others) = row.params.split_first()?;
    let (NodeArgument::Input(0), rest) = node.arguments().split_first()? else { return None };
    let is_plain = row.reduction.is_some()
        && !row.mutates()
        && node.outputs().len() == 1
        && is_tensor(&first.slot.ty)
        && !others.iter().any(|it| it.is_out || is_tensor(&it.slot.ty));
    let value = |it: &NodeArgument| match it {
        NodeArgument::Value(value) => Some(value.clone()),
        NodeArgument::Input(_) | NodeArgument::List(_) => None,
    };
    let values = rest.iter().map(value).collect::<Option<Vec<_>>>()?;
    is_plain.then_some((*row, values))
}
