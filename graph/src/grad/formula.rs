//! Symbolic gradients by formulas: calls of rows with what a node takes, gives and is given.

use std::sync::Arc;

use opwright_runtime::op::{Formula, Formulas, Operator, Question, Tree, Type, Value};
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use opwright_runtime::{DType, Device, Scalar};

use super::accumulate::{sum, zeros};
use super::constants::calculated;
use super::formula_value::{FormulaValue, NodeArguments};
use super::request::{BackwardNode, dtype_of_gradients};
use super::sum_to_like::fitted;
use crate::build::call;
use crate::build::infer;
use crate::build::intrinsic::ExtentOp;
use crate::model::apply::custom;
use crate::model::argument::NodeArgument;
use crate::model::op::Op;
use crate::model::variable::Variable;

/// The gradients for the inputs that are wanted; none if the formulas cannot be said of variables.
pub(super) fn gradients(
    row: &'static Operator,
    formulas: &Formulas,
    backward: &BackwardNode<'_>,
) -> Option<Vec<Option<Variable>>> {
    let node = backward.node;
    if node.inputs().iter().any(|it| is_number(it.ty()) && it.as_constant().is_none()) {
        return None;
    }
    let mut gradients = vec![None; node.inputs().len()];
    let reader = FormulaReader { backward };
    for formula in formulas.0 {
        let wanted = |param: &usize| reader.wants(&node.arguments()[*param]);
        if !formula.params.iter().any(wanted) {
            continue;
        }
        let items = reader.formula(formula)?;
        for (param, item) in formula.params.iter().zip(items) {
            reader.hand(row, &node.arguments()[*param], item, &mut gradients)?;
        }
    }
    Some(gradients)
}

/// Reads the formulas of a node.
struct FormulaReader<'a> {
    backward: &'a BackwardNode<'a>,
}

impl FormulaReader<'_> {
    /// Whether a gradient is wanted for something in an argument.
    fn wants(&self, argument: &NodeArgument) -> bool {
        match argument {
            NodeArgument::Input(at) => self.backward.wanted[*at],
            NodeArgument::Value(_) => false,
            NodeArgument::List(items) => items.iter().any(|it| self.wants(it)),
        }
    }

    /// A gradient for each parameter of a formula.
    fn formula(&self, formula: &Formula) -> Option<Vec<FormulaValue>> {
        let item = self.item(&formula.tree)?;
        if formula.params.len() == 1 {
            return Some(vec![item]);
        }
        match item {
            FormulaValue::Absent => Some(vec![FormulaValue::Absent; formula.params.len()]),
            FormulaValue::List(items) if items.len() == formula.params.len() => Some(items),
            _ => None,
        }
    }

    /// Adds a gradient to those of the input that an argument names, or of the inputs of a list.
    fn hand(
        &self,
        row: &Operator,
        argument: &NodeArgument,
        item: FormulaValue,
        gradients: &mut [Option<Variable>],
    ) -> Option<()> {
        match (argument, item) {
            (_, FormulaValue::Absent) | (NodeArgument::Value(_), _) => Some(()),
            (NodeArgument::Input(at), _) if !self.backward.wanted[*at] => Some(()),
            (NodeArgument::Input(at), FormulaValue::Variable(gradient)) => {
                let backward = self.backward;
                let input = &backward.node.inputs()[*at];
                let is_same = row.inner_loop.is_some() && keeps_shape(backward, *at);
                let gradient = fitted(gradient, input, is_same, backward)?;
                gradients[*at] = Some(match gradients[*at].take() {
                    Some(before) => {
                        let place = backward.place.clone();
                        sum(before, gradient, backward.calculus, place).ok()?
                    }
                    None => gradient,
                });
                Some(())
            }
            (NodeArgument::List(arguments), FormulaValue::List(items))
                if arguments.len() == items.len() =>
            {
                let pairs = arguments.iter().zip(items);
                pairs.map(|(argument, item)| self.hand(row, argument, item, gradients)).collect()
            }
            _ => None,
        }
    }

    fn item(&self, tree: &Tree) -> Option<FormulaValue> {
        let node = self.backward.node;
        Some(match tree {
            Tree::Param(at) => self.argument(&node.arguments()[*at])?,
            Tree::Result(at) => self.result(*at)?,
            Tree::Grad(at) => self.grad(*at)?,
            Tree::Wanted(at) => {
                FormulaValue::Value(Value::Bool(self.wants(&node.arguments()[*at])))
            }
            Tree::Constant(constant) => match constant.value() {
                Value::None => FormulaValue::Absent,
                value => FormulaValue::Value(value),
            },
            // It is known where it is passed.
            Tree::Default => return None,
            Tree::Absent => FormulaValue::Absent,
            Tree::Asked(question, of) => self.asked(*question, &self.item(of)?)?,
            Tree::Number(sign, parts) => {
                let parts: Vec<Scalar> =
                    parts.iter().map(|it| number(&self.item(it)?)).collect::<Option<_>>()?;
                FormulaValue::Value(calculated(*sign, &parts)?.into())
            }
            Tree::If(parts) => {
                let [condition, then, otherwise] = parts;
                let FormulaValue::Value(Value::Bool(is)) = self.item(condition)? else {
                    return None;
                };
                self.item(if is { then } else { otherwise })?
            }
            Tree::List(parts) => {
                FormulaValue::List(parts.iter().map(|it| self.item(it)).collect::<Option<_>>()?)
            }
            Tree::Call(row, args) => self.call(row, args)?,
        })
    }

    fn argument(&self, argument: &NodeArgument) -> Option<FormulaValue> {
        let inputs = self.backward.node.inputs();
        Some(match argument {
            NodeArgument::Input(at) => FormulaValue::Variable(inputs[*at].clone()),
            NodeArgument::Value(Value::None) => FormulaValue::Absent,
            NodeArgument::Value(value) => FormulaValue::Value(value.clone()),
            NodeArgument::List(items) => {
                FormulaValue::List(items.iter().map(|it| self.argument(it)).collect::<Option<_>>()?)
            }
        })
    }

    /// A result of the row, if it is one of the node.
    fn result(&self, at: usize) -> Option<FormulaValue> {
        let node = self.backward.node;
        let single = self.is_flat();
        single.then(|| FormulaValue::Variable(Variable::output(node.clone(), at)))
    }

    fn grad(&self, at: usize) -> Option<FormulaValue> {
        if !self.is_flat() {
            return None;
        }
        Some(match self.backward.gradients.get(at)? {
            Some(gradient) => FormulaValue::Variable(gradient.clone()),
            None => FormulaValue::Absent,
        })
    }

    /// Whether the results of the node are those of the row, none of them a list.
    fn is_flat(&self) -> bool {
        match self.backward.node.op() {
            Op::Row(row) => row.results.iter().all(|it| it.ty == Type::Tensor),
            Op::Custom(_) => false,
        }
    }

    fn asked(&self, question: Question, of: &FormulaValue) -> Option<FormulaValue> {
        let FormulaValue::Variable(tensor) = of else { return None };
        let dtype = dtype_of(tensor.ty());
        let ty = tensor.ty().downcast::<TensorType>();
        let dims = || Some(ty?.ndim());
        let int =
            |it: usize| FormulaValue::Value(Value::Int(i64::try_from(it).unwrap_or(i64::MAX)));
        Some(match question {
            Question::Sizes => FormulaValue::List(
                (0..dims()?).map(|dim| self.extent(tensor, dim)).collect::<Option<_>>()?,
            ),
            Question::Size(at) => {
                let dim = if at < 0 { at + i64::try_from(dims()?).ok()? } else { at };
                self.extent(tensor, usize::try_from(dim).ok()?)?
            }
            Question::Strides => self.strides(tensor)?,
            Question::Numel => {
                let known = ty?.shape().iter().copied().product::<Option<i64>>()?;
                FormulaValue::Value(Value::Int(known))
            }
            Question::Dim => int(dims()?),
            Question::DType => FormulaValue::Value(Value::DType(dtype?)),
            Question::Device => FormulaValue::Value(Value::Device(Device::Cpu)),
            Question::Zeros => {
                let (calculus, place) = (self.backward.calculus, self.backward.place.clone());
                FormulaValue::Variable(zeros(tensor, calculus, place).ok()?)
            }
            Question::IsComplex => FormulaValue::Value(Value::Bool(dtype?.is_complex_number())),
        })
    }

    /// An extent: a number if it is known.
    fn extent(&self, tensor: &Variable, dim: usize) -> Option<FormulaValue> {
        let known = *tensor.ty().downcast::<TensorType>()?.shape().get(dim)?;
        if let Some(known) = known {
            return Some(FormulaValue::Value(Value::Int(known)));
        }
        let ty: TypeRef = Arc::new(Plain::Int64);
        let place = self.backward.place.clone();
        let node = custom(Arc::new(ExtentOp(dim)), vec![tensor.clone()], vec![ty], place);
        Some(FormulaValue::Variable(Variable::output(node, 0)))
    }

    /// The strides of a call's result, or those without gaps if they are products of what is known,
    /// or single extents.
    fn strides(&self, tensor: &Variable) -> Option<FormulaValue> {
        if let Some(known) = known_strides(tensor) {
            return Some(FormulaValue::List(
                known.map(|it| FormulaValue::Value(Value::Int(it))).collect(),
            ));
        }
        let shape = tensor.ty().downcast::<TensorType>()?.shape();
        let (mut strides, mut last) = (Vec::new(), FormulaValue::Value(Value::Int(1)));
        for dim in (0..shape.len()).rev() {
            strides.insert(0, last.clone());
            last = match (&last, self.extent(tensor, dim)?) {
                _ if dim == 0 => FormulaValue::Absent,
                (FormulaValue::Value(Value::Int(1)), extent) => extent,
                (FormulaValue::Value(Value::Int(a)), FormulaValue::Value(Value::Int(b))) => {
                    FormulaValue::Value(Value::Int(a.checked_mul(b)?))
                }
                (unknown, FormulaValue::Value(Value::Int(1))) => unknown.clone(),
                _ => return None,
            };
        }
        Some(FormulaValue::List(strides))
    }

    /// A node of a call.
    fn call(&self, row: &'static Operator, args: &[Tree]) -> Option<FormulaValue> {
        let mut call = NodeArguments::default();
        for (param, arg) in row.params.iter().zip(args) {
            let argument = match arg {
                Tree::Default => {
                    NodeArgument::Value(param.default.map_or(Value::None, |it| it.value()))
                }
                tree => call.argument(self.item(tree)?, &param.slot.ty)?,
            };
            call.arguments.push(argument);
        }
        if call.arguments.len() != row.params.len() {
            return None;
        }
        let place = self.backward.place.clone();
        // What the Meta kernels cannot answer is left to the gradient layer.
        let built = call::row(row, call.inputs, call.arguments, place).ok()?;
        let mut next = 0..;
        let mut one = || {
            let result = Variable::output(built.node.clone(), next.next().unwrap_or(0));
            match result.ty().downcast::<Plain>() {
                Some(Plain::Nothing) => FormulaValue::Absent,
                _ => FormulaValue::Variable(result),
            }
        };
        let results = built.lists.iter().map(|list| match list {
            None => one(),
            Some(count) => FormulaValue::List((0..*count).map(|_| one()).collect()),
        });
        let mut results: Vec<FormulaValue> = results.collect();
        match results.len() {
            1 => results.pop(),
            _ => Some(FormulaValue::List(results)),
        }
    }
}

/// The strides of what a call gives of inputs in row-major order, such as a transposed matrix.
fn known_strides(tensor: &Variable) -> Option<impl Iterator<Item = i64>> {
    let (node, at) = tensor.owner()?;
    match node.op() {
        Op::Row(row) => {
            infer::strides(row, node.inputs(), node.arguments(), at).map(Vec::into_iter)
        }
        Op::Custom(_) => None,
    }
}

/// Whether an input is the only tensor with dimensions that a node takes.
pub(super) fn keeps_shape(backward: &BackwardNode<'_>, input: usize) -> bool {
    let has_dims = |it: &Variable| it.ty().downcast::<TensorType>().is_none_or(|it| it.ndim() > 0);
    let others = backward.node.inputs().iter().enumerate().filter(|(at, _)| *at != input);
    has_dims(&backward.node.inputs()[input])
        && others.clone().all(|(_, it)| !has_dims(it) || it.as_constant().is_some_and(is_plain))
}

fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Tensor(_))
}

fn is_number(ty: &TypeRef) -> bool {
    ty.downcast::<Plain>().is_some_and(|it| it.is_number())
}

fn dtype_of(ty: &TypeRef) -> Option<DType> {
    dtype_of_gradients(ty).or_else(|| Some(ty.downcast::<TensorType>()?.dtype()))
}

fn number(item: &FormulaValue) -> Option<Scalar> {
    match item {
        FormulaValue::Value(value) => value.scalar().ok(),
        FormulaValue::Variable(_) | FormulaValue::List(_) | FormulaValue::Absent => None,
    }
}
