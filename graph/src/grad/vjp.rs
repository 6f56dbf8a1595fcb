//! Vector-Jacobian products by the gradient layer: a node that records a call and runs it backward.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::autograd::{Arithmetic, Edge, Pass, is_recording, recording};
use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::Plain;
use opwright_runtime::{Result, Tensor, view};
use smallvec::SmallVec;

use super::path::uses;
use super::request::{BackwardNode, Calculus};
use super::sum_to_like::Fitted;
use crate::model::apply::{Apply, custom};
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::fit::{NumberPolicy, fit};
use crate::model::op::{Custom, Op, Results};
use crate::model::rng_replay;
use crate::model::structural_equality;
use crate::model::variable::Variable;
use crate::run::step::{flat, numbers_of};

/// The gradients of what a node computes, for some of its inputs.
///
/// It takes the inputs of the node, what it drew if it draws random numbers, and then the gradients
/// for those results that have some. It is such a node itself whose gradients are wanted: those of a
/// gradient are found by a pass over a pass that is recorded.
pub struct Vjp {
    body: VjpBody,
    /// How many of its inputs are no gradients: those of the node, and what that drew.
    inputs: usize,
    /// Which of them says what the row draws again.
    drawn: Option<usize>,
    /// Those of the inputs whose gradients are wanted.
    wanted: Vec<usize>,
    /// The results that there are gradients for.
    given: Vec<usize>,
    /// All inputs: a gradient may be handed on as it is.
    views: Vec<usize>,
    arithmetic: &'static dyn Arithmetic,
}

/// What runs: a row, or a node of this crate's own that the gradient layer sees through.
enum VjpBody {
    Row { row: &'static Operator, arguments: Vec<NodeArgument>, numbers: NumberPolicy },
    Own(Arc<dyn Custom>),
}

/// A [`Vjp`] as data: what a gradient is of.
pub struct SerializedVjp {
    /// A row with its arguments, and whether numbers count as tensors.
    pub row: Option<(&'static Operator, Vec<NodeArgument>, bool)>,
    /// Or another Op.
    pub own: Option<SerializedInner>,
    /// How many inputs are no gradients.
    pub inputs: usize,
    /// Which of them says what is drawn again.
    pub drawn: Option<usize>,
    /// The inputs whose gradients are wanted.
    pub wanted: Vec<usize>,
    /// The results that there are gradients for.
    pub given: Vec<usize>,
}

/// An Op of this crate's own that the gradient layer sees through, as data.
pub enum SerializedInner {
    /// A tensor summed to the shape of another one.
    Fitted,
    /// The gradient of something.
    Vjp(Box<SerializedVjp>),
}

impl Vjp {
    /// That of a node of a row.
    pub(super) fn of_row(row: &'static Operator, backward: &BackwardNode<'_>) -> Vjp {
        let node = backward.node;
        let (arguments, numbers) = (node.arguments().to_vec(), numbers_of(row, node));
        let is_tensor = |it: usize| uses(node, it).as_tensor;
        Vjp::new(VjpBody::Row { row, arguments, numbers }, backward, is_tensor)
    }

    /// The gradients of a node of this crate's own that runs recorded.
    pub(super) fn gradients_of_own(
        backward: &BackwardNode<'_>,
    ) -> Result<Vec<Option<Variable>>, GraphError> {
        let Op::Custom(own) = backward.node.op() else { return Ok(Vec::new()) };
        recorded(Vjp::new(VjpBody::Own(own.clone()), backward, |_| true), backward)
    }

    fn new(
        body: VjpBody,
        backward: &BackwardNode<'_>,
        has_gradient: impl Fn(usize) -> bool,
    ) -> Vjp {
        let wanted = (0..backward.wanted.len()).filter(|it| backward.wanted[*it]);
        let wanted: Vec<usize> = wanted.filter(|it| has_gradient(*it)).collect();
        let given = (0..backward.gradients.len()).filter(|it| backward.gradients[*it].is_some());
        let given: Vec<usize> = given.collect();
        let inputs = backward.node.inputs().len();
        let drawn = rng_replay::result(backward.node).map(|_| inputs);
        let inputs = inputs + usize::from(drawn.is_some());
        let views = (0..inputs + given.len()).collect();
        let arithmetic = backward.calculus.arithmetic;
        Vjp { body, inputs, drawn, wanted, given, views, arithmetic }
    }

    /// The inputs of the node whose gradients it gives, in the order of its results.
    pub fn wanted(&self) -> &[usize] {
        &self.wanted
    }

    /// The gradients, as tensors; recorded themselves if that is wanted.
    fn tensors(&self, values: Vec<Value>) -> Result<Vec<Tensor>> {
        let is_recorded = is_recording();
        let mut values = values;
        let gradients = values.split_off(self.inputs);
        let mut leaves: SmallVec<[Tensor; 2]> = SmallVec::new();
        for input in &self.wanted {
            let leaf = leaf(&values[*input], self.numbers())?;
            values[*input] = Value::Tensor(leaf.clone());
            leaves.push(leaf);
        }
        let results = recording(true, || self.run(values))?;
        let mut roots = Vec::with_capacity(self.given.len());
        for (result, gradient) in self.given.iter().zip(gradients) {
            let Some(Value::Tensor(result)) = results.get(*result) else { continue };
            if let Some(edge) = result.gradient_edge() {
                let gradient = tensor(gradient, NumberPolicy::Count)?;
                roots.push((edge, gradient));
            }
        }
        let edges: Vec<Edge> = leaves.iter().filter_map(Tensor::gradient_edge).collect();
        let pass = Pass {
            roots,
            keeps_graph: is_recorded,
            is_recorded,
            inputs: Some(&edges),
            accumulates: false,
            arithmetic: self.arithmetic,
        };
        let found = pass.run()?.into_iter().zip(&leaves);
        let gradients = found.map(|(gradient, leaf)| match gradient {
            Some(gradient) => Ok(gradient),
            None => self.arithmetic.zeros_like(leaf),
        });
        gradients.collect()
    }

    /// What the node computes.
    fn run(&self, values: Vec<Value>) -> Result<Results> {
        match &self.body {
            VjpBody::Row { row, arguments, numbers } => {
                let mut given = Vec::with_capacity(arguments.len());
                for (argument, param) in arguments.iter().zip(row.params) {
                    let value = argument.value(&mut |at| Ok(values[at].clone()))?;
                    given.push(fit(value, &param.slot.ty, *numbers)?);
                }
                let mut call = || (row.call)(&mut given);
                match self.drawn {
                    Some(at) => rng_replay::again(&values[at], call).map(flat),
                    None => call().map(flat),
                }
            }
            VjpBody::Own(own) => {
                let found = match (own.downcast::<Vjp>(), own.downcast::<Fitted>()) {
                    (Some(inner), _) => inner.tensors(values)?,
                    (_, Some(fitted)) => {
                        vec![fitted.tensor(values[0].tensor()?, values[1].tensor()?)?]
                    }
                    (None, None) => Vec::new(),
                };
                Ok(found.into_iter().map(Value::Tensor).collect())
            }
        }
    }

    /// What it is, as data.
    pub(crate) fn described(&self) -> Option<SerializedVjp> {
        let (row, own) = match &self.body {
            VjpBody::Row { row, arguments, numbers } => {
                (Some((*row, arguments.clone(), *numbers == NumberPolicy::Count)), None)
            }
            VjpBody::Own(own) => match own.downcast::<Vjp>() {
                Some(inner) => (None, Some(SerializedInner::Vjp(Box::new(inner.described()?)))),
                None => (None, own.downcast::<Fitted>().map(|_| SerializedInner::Fitted)),
            },
        };
        let (inputs, drawn) = (self.inputs, self.drawn);
        let (wanted, given) = (self.wanted.clone(), self.given.clone());
        Some(SerializedVjp { row, own, inputs, drawn, wanted, given })
    }

    /// The one that data says, of nodes with so many inputs and results; none if it cannot be one.
    pub(crate) fn made(
        of: SerializedVjp,
        inputs: usize,
        results: usize,
        calculus: Calculus,
    ) -> Option<Arc<Vjp>> {
        let SerializedVjp { row, own, inputs: first, drawn, wanted, given } = of;
        let is_input = |at: &usize| *at < first;
        let fits = first + given.len() == inputs
            && wanted.len() == results
            && wanted.iter().all(is_input)
            && drawn.iter().all(is_input);
        if !fits {
            return None;
        }
        let body = match (row, own) {
            (Some((row, arguments, counts)), None) => {
                let mut known = arguments.len() == row.params.len();
                arguments.iter().for_each(|it| it.each_input(&mut |at| known &= is_input(&at)));
                if !known {
                    return None;
                }
                let numbers = if counts { NumberPolicy::Count } else { NumberPolicy::GiveWay };
                VjpBody::Row { row, arguments, numbers }
            }
            (None, Some(SerializedInner::Vjp(inner))) => {
                let results = inner.wanted.len();
                VjpBody::Own(Vjp::made(*inner, first, results, calculus)?)
            }
            (None, Some(SerializedInner::Fitted)) if first == 2 => {
                VjpBody::Own(Arc::new(Fitted::new(calculus)))
            }
            _ => return None,
        };
        let (views, arithmetic) = ((0..inputs).collect(), calculus.arithmetic);
        Some(Arc::new(Vjp { body, inputs: first, drawn, wanted, given, views, arithmetic }))
    }

    fn inner(&self) -> Option<&Vjp> {
        match &self.body {
            VjpBody::Own(inner) => inner.downcast(),
            VjpBody::Row { .. } => None,
        }
    }

    fn numbers(&self) -> NumberPolicy {
        match &self.body {
            VjpBody::Row { numbers, .. } => *numbers,
            VjpBody::Own(_) => self.inner().map_or(NumberPolicy::Count, Vjp::numbers),
        }
    }

    /// The operator whose gradient it is, or the gradient of whose gradient.
    fn row(&self) -> Option<&'static Operator> {
        match &self.body {
            VjpBody::Row { row, .. } => Some(row),
            VjpBody::Own(_) => self.inner()?.row(),
        }
    }
}

/// The results of a node of `vjp` in the places of the inputs.
pub(super) fn recorded(
    vjp: Vjp,
    backward: &BackwardNode<'_>,
) -> Result<Vec<Option<Variable>>, GraphError> {
    let node = backward.node;
    let wanted = vjp.wanted().to_vec();
    let given = backward.gradients.iter().flatten();
    let drawn = rng_replay::result(node);
    let inputs = node.inputs().iter().chain(&drawn).chain(given).cloned().collect();
    let types = wanted.iter().map(|it| node.inputs()[*it].ty().clone()).collect();
    let place = backward.place.clone().or_else(|| node.place().cloned());
    let made = custom(Arc::new(vjp), inputs, types, place);
    let mut gradients = vec![None; node.inputs().len()];
    for (result, input) in made.results().into_iter().zip(wanted) {
        gradients[input] = Some(result);
    }
    Ok(gradients)
}

/// A value as a tensor.
fn tensor(value: Value, numbers: NumberPolicy) -> Result<Tensor> {
    fit(value, &Type::Tensor, numbers)?.tensor().cloned()
}

/// A tensor that requires gradients, for a value; itself if it does so already.
fn leaf(value: &Value, numbers: NumberPolicy) -> Result<Tensor> {
    let tensor = tensor(value.clone(), numbers)?;
    if is_recording() && tensor.requires_grad() {
        return Ok(tensor);
    }
    let leaf = view::apart(&tensor)?;
    leaf.set_requires_grad(true)?;
    Ok(leaf)
}

impl fmt::Display for Vjp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("vjp")
    }
}

impl Custom for Vjp {
    fn same(&self, other: &dyn Custom) -> bool {
        let Some(other) = other.downcast::<Vjp>() else { return false };
        let bodies = match (&self.body, &other.body) {
            (
                VjpBody::Row { row, arguments, .. },
                VjpBody::Row { row: b, arguments: others, .. },
            ) => {
                Op::Row(row).same(&Op::Row(b))
                    && arguments.len() == others.len()
                    && arguments
                        .iter()
                        .zip(others)
                        .all(|(a, b)| structural_equality::arguments(a, b))
            }
            (VjpBody::Own(a), VjpBody::Own(b)) => a.same(&**b),
            _ => false,
        };
        bodies && self.wanted == other.wanted && self.given == other.given
    }

    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let mut apart = Vec::with_capacity(inputs.len());
        for input in inputs {
            apart.push(detached(input)?);
        }
        let found = recording(false, || self.tensors(apart))?;
        let mut results = Results::new();
        for (tensor, output) in found.into_iter().zip(node.outputs()) {
            results.push(match output.ty().downcast::<Plain>() {
                Some(_) => tensor.to_scalar()?.into(),
                None => Value::Tensor(tensor),
            });
        }
        Ok(results)
    }

    fn views(&self, _output: usize) -> &[usize] {
        &self.views
    }

    fn settings(&self) -> Vec<(String, String)> {
        let name = self.row().map_or("", |it| it.name);
        vec![("of".to_owned(), name.to_owned())]
    }
}

/// The value without what the gradient layer keeps of it.
fn detached(value: &Value) -> Result<Value> {
    match value {
        Value::Tensor(it) if it.requires_grad() => view::apart(it).map(Value::Tensor),
        Value::List(items) => items.iter().map(detached).collect::<Result<_>>().map(Value::List),
        value => Ok(value.clone()),
    }
}
