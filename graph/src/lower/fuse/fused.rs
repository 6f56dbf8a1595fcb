//! The fused Op: a chain of element-wise operators, perhaps with a reduction behind it.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::iterate::fused::{self, Link, Operand};
use opwright_runtime::op::{Calculates, ElementLoop, Type, Value};
use opwright_runtime::promote::{compared_type, result_type};
use opwright_runtime::types::TensorType;
use opwright_runtime::{DType, Device, Result, Tensor};

use super::group::{FusionGroup, compiled, is_link, row};
use super::reduced::FusedReduction;
use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::fit::{NumberPolicy, fit};
use crate::model::op::{Custom, Elementwise, Op, Results, SmallPath};
use crate::model::variable::Variable;
use crate::run::fast_path::SmallChain;
use crate::run::function::Function;
use crate::run::host::Host;

/// Fewer elements are in the cache anyway, and calls cost less than making the loops.
const FEW: usize = 1024;

/// A chain of element-wise operators.
pub struct Fused {
    parts: Vec<FusedOp>,
    /// The parts whose results are wanted.
    wanted: Vec<usize>,
    /// What follows on them.
    reduced: Option<FusedReduction>,
    /// The chain as it runs over a few elements, if it has one result.
    small: Option<Arc<SmallChain>>,
    /// Whether a part is a compiled function, which may fail.
    has_compiled: bool,
    /// The operators one after the other, for what does not run block by block.
    apart: Function,
}

/// An operator of the chain.
struct FusedOp {
    of: &'static ElementLoop,
    dtype: DType,
    others: Vec<Value>,
    operands: Vec<Operand>,
    result: DType,
}

impl Fused {
    /// That of a group.
    pub(super) fn new(group: &FusionGroup) -> Fused {
        let (chain, last) = match group.nodes().split_last() {
            Some((last, chain)) if !is_link(last) => (chain, Some(last)),
            _ => (group.nodes(), None),
        };
        let parts = chain.iter().map(|it| FusedOp::new(it, group)).collect::<Option<Vec<_>>>();
        let outputs = group.outputs().to_vec();
        let link = |it: &Variable| match operand(it, group)? {
            Operand::Link(at) if at < chain.len() => Some(at),
            Operand::Link(_) | Operand::Input(_) => None,
        };
        let reduced = last.and_then(|it| FusedReduction::new(it, link(&it.inputs()[0])?));
        // What cannot be part of a chain is called as it was.
        let parts = parts.filter(|_| reduced.is_some() == last.is_some()).unwrap_or_default();
        let wanted: Vec<usize> = outputs.iter().filter_map(link).collect();
        let inputs = group.inputs().len();
        let apart = Function::planned(group.inputs().to_vec(), outputs, Vec::new());
        let has_compiled = chain.iter().any(|it| matches!(it.op(), Op::Custom(_)));
        let mut made = Fused { parts, wanted, reduced, small: None, has_compiled, apart };
        if !has_compiled && made.results().iter().eq([&made.parts.len().wrapping_sub(1)]) {
            made.small = SmallChain::of(&made.links(), inputs).map(Arc::new);
        }
        made
    }

    /// The parts whose results somebody reads.
    fn results(&self) -> Vec<usize> {
        let mut all = self.wanted.clone();
        let reduced = self.reduced.as_ref().map(|it| it.link);
        all.extend(reduced.filter(|it| !self.wanted.contains(it)));
        all
    }

    /// The results, if there are enough elements and they can be run block by block.
    fn blocks(&self, inputs: &[Value]) -> Result<Option<Results>> {
        let is_few = |it: &Value| !matches!(it, Value::Tensor(it) if it.numel() >= FEW);
        if self.parts.is_empty() || inputs.iter().all(is_few) {
            return self.few(inputs);
        }
        let mut tensors = Vec::with_capacity(inputs.len());
        for input in inputs {
            let Value::Tensor(tensor) = fit(input.clone(), &Type::Tensor, NumberPolicy::GiveWay)?
            else {
                return Ok(None);
            };
            tensors.push(tensor);
        }
        let links = self.links();
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        let Some(reduced) = &self.reduced else {
            let made = fused::run(&links, &tensors, &self.wanted)?;
            return Ok(made.map(|it| it.into_iter().map(Value::Tensor).collect()));
        };
        if let Some(made) = reduced.fold(&links, &tensors, &self.wanted)? {
            return Ok(Some(made));
        }
        let results = self.results();
        let Some(made) = fused::run(&links, &tensors, &results)? else { return Ok(None) };
        let place = results.iter().position(|it| *it == reduced.link);
        let Some(read) = place.and_then(|it| made.get(it)).cloned() else { return Ok(None) };
        let wanted = made.into_iter().take(self.wanted.len()).map(Value::Tensor);
        Ok(Some(wanted.chain([reduced.call(read)?]).collect()))
    }

    /// The result of a reduction of few elements.
    fn few(&self, inputs: &[Value]) -> Result<Option<Results>> {
        let (Some(small), Some(reduced)) = (&self.small, &self.reduced) else { return Ok(None) };
        let Some(read) = small.run(inputs)? else { return Ok(None) };
        let wanted = self.wanted.iter().map(|_| Value::Tensor(read.clone()));
        Ok(Some(wanted.chain([reduced.call(read.clone())?]).collect()))
    }

    /// What runs one after the other.
    fn links(&self) -> Vec<Link<'_>> {
        self.parts.iter().map(FusedOp::link).collect()
    }
}

impl FusedOp {
    fn new(node: &Arc<Apply>, group: &FusionGroup) -> Option<FusedOp> {
        let Some(row) = row(node) else { return FusedOp::compiled(node, group) };
        let of = row.inner_loop?;
        let mut operands = Vec::new();
        let mut others = Vec::new();
        for (param, argument) in row.params.iter().zip(node.arguments()) {
            match argument {
                NodeArgument::Input(at) => operands.push(operand(&node.inputs()[*at], group)?),
                NodeArgument::Value(value) if !param.is_out => others.push(value.clone()),
                NodeArgument::Value(_) => {}
                NodeArgument::List(_) => return None,
            }
        }
        let result = node.outputs()[0].ty().element()?;
        let dtype = calculated(of.calculates, node, result).ok()?;
        Some(FusedOp { of, dtype, others, operands, result })
    }

    /// That of a compiled function.
    fn compiled(node: &Arc<Apply>, group: &FusionGroup) -> Option<FusedOp> {
        let Elementwise { of, dtype, others } = compiled(node)?;
        let operands = node.inputs().iter().map(|it| operand(it, group)).collect::<Option<_>>()?;
        let result = node.outputs()[0].ty().element()?;
        Some(FusedOp { of, dtype, others, operands, result })
    }

    fn link(&self) -> Link<'_> {
        Link {
            of: self.of,
            dtype: self.dtype,
            others: &self.others,
            operands: &self.operands,
            result: self.result,
        }
    }
}

fn operand(variable: &Variable, group: &FusionGroup) -> Option<Operand> {
    if let Some(at) = group.inputs().iter().position(|it| it == variable) {
        return Some(Operand::Input(at));
    }
    let (owner, _) = variable.owner()?;
    let at = group.nodes().iter().position(|it| it.id() == owner.id())?;
    Some(Operand::Link(at))
}

/// The dtype that the loop is made for.
fn calculated(calculates: Calculates, node: &Apply, result: DType) -> Result<DType> {
    let operands = |params: &[usize]| {
        let mut tensors = Vec::new();
        for &param in params {
            if let NodeArgument::Input(at) = &node.arguments()[param] {
                tensors.push(stand_in(&node.inputs()[*at])?);
            }
        }
        Ok(tensors)
    };
    let common = |params: &[usize]| result_type(&operands(params)?.iter().collect::<Vec<_>>());
    match calculates {
        Calculates::InResult => Ok(result),
        Calculates::InCommon(params) => common(params),
        Calculates::InFloating(params) => Ok(common(params)?.to_floating()),
        Calculates::Compared(params) => {
            compared_type(&operands(params)?.iter().collect::<Vec<_>>())
        }
    }
}

/// A tensor that is promoted like values of the variable.
fn stand_in(variable: &Variable) -> Result<Tensor> {
    match (variable.ty().downcast::<TensorType>(), variable.as_constant()) {
        (Some(ty), _) => {
            let shape: &[i64] = if ty.ndim() > 0 { &[1] } else { &[] };
            Tensor::allocate(shape, ty.dtype(), Device::Meta)
        }
        (None, Some(number)) => Tensor::wrapped_number(number.scalar()?),
        (None, None) => {
            let zero = Tensor::filled(
                &[],
                0.into(),
                variable.ty().element().unwrap_or(DType::Float64),
                Device::Cpu,
            )?;
            zero.with_wrapped_number(true)
        }
    }
}

/// `fused{add.Tensor, mul.Tensor}`.
impl fmt::Display for Fused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fused{")?;
        for (at, node) in self.apart.nodes().enumerate() {
            write!(f, "{}{}", if at > 0 { ", " } else { "" }, node.op())?;
        }
        f.write_str("}")
    }
}

impl Custom for Fused {
    fn same(&self, other: &dyn Custom) -> bool {
        std::ptr::eq(self, std::ptr::from_ref(other).cast())
    }

    fn fast_path(&self) -> Option<Arc<dyn SmallPath>> {
        let small = self.small.clone().filter(|_| self.reduced.is_none());
        small.map(|it| it as Arc<dyn SmallPath>)
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        match self.blocks(inputs) {
            Ok(Some(results)) => return Ok(results),
            Ok(None) => {}
            // What a compiled function raises is known to who performs it.
            Err(_) if self.has_compiled => {}
            Err(error) => return Err(error.into()),
        }
        let mut calls = Unfused { inputs, results: Results::new() };
        self.apart.call(&mut calls).map_err(|it| it.failure)?;
        Ok(calls.results)
    }
}

/// Calls the operators one after the other.
struct Unfused<'a> {
    inputs: &'a [Value],
    results: Results,
}

impl Host for Unfused<'_> {
    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        Ok(self.inputs[input].clone())
    }

    fn emit(&mut self, _: usize, value: Value) -> Result<(), GraphError> {
        self.results.push(value);
        Ok(())
    }
}
