//! Reverse-mode differentiation of graphs, as graphs.
//!
//! A pass goes backward along the nodes between a cost and what gradients are wanted of. Each node
//! is asked for the gradients of its inputs: a row by its formulas, by those of what a rewrite
//! replaces it by, or by running it once more under the gradient layer, see [`Vjp`]; what is no row,
//! by its kind, or by [`OpGradients`]. What comes together at a variable is added.

mod accumulate;
mod branch;
mod constants;
mod custom;
mod formula;
mod formula_value;
mod operator;
mod path;
mod request;
mod rewritten;
mod sum_to_like;
mod vjp;

use std::collections::HashMap;

use opwright_runtime::op::Value;
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{DType, Device, Error, Scalar, Tensor};

pub(crate) use self::accumulate::{helper, is_helper};
use self::accumulate::{sum, zeros};
use self::branch::Branches;
pub use self::custom::missing_gradient;
use self::path::GradientPath;
pub use self::request::{
    BackwardNode, Calculus, GradientResult, OpGradients, Request, dtype_of_gradients,
};
pub use self::vjp::{SerializedInner, SerializedVjp, Vjp};
use crate::build::substitution::filtered;
use crate::model::apply::check_memory;
use crate::model::error::GraphError;
use crate::model::op::Op;
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// The gradients of a cost, as variables.
///
/// # Errors
///
/// `Type` for a cost that is no number; `Value` for what has no gradients; `NotImplemented` for a
/// node on the way that nobody has written a gradient of; what the Ops of the host report.
pub fn grad(request: &Request<'_>, calculus: Calculus) -> Result<GradientResult, GraphError> {
    check(request)?;
    check_memory(1)?;
    let mut pass = Pass { request, calculus, gradients: HashMap::new() };
    pass.begin()?;
    pass.back()?;
    pass.found()
}

fn check(request: &Request<'_>) -> Result<(), GraphError> {
    if let Some(cost) = request.cost {
        check_cost(cost)?;
    } else if request.known.is_empty() {
        return Err(Error::wrong_type("grad needs a cost, or gradients that are known").into());
    }
    let without = request.wrt.iter().find(|it| dtype_of_gradients(it.ty()).is_none());
    match without {
        Some(it) => Err(no_gradients("wrt", it).into()),
        None => Ok(()),
    }
}

fn check_cost(cost: &Variable) -> Result<(), Error> {
    let is_number = match cost.ty().downcast::<TensorType>() {
        Some(ty) => ty.ndim() == 0,
        None => cost.ty().downcast::<Plain>().is_some(),
    };
    if !is_number {
        return Err(Error::wrong_type(format_args!(
            "a cost has no dimensions, and {cost} is {}; take its sum, or its mean",
            cost.ty()
        )));
    }
    match dtype_of_gradients(cost.ty()) {
        Some(_) => Ok(()),
        None => Err(no_gradients("cost", cost)),
    }
}

#[cold]
fn no_gradients(what: &str, variable: &Variable) -> Error {
    Error::value(format_args!(
        "{what}: {variable} is {}, and only real and complex floating-point variables have \
         gradients",
        variable.ty()
    ))
}

/// A pass backward.
struct Pass<'a> {
    request: &'a Request<'a>,
    calculus: Calculus,
    gradients: HashMap<VariableKey, Variable>,
}

impl Pass<'_> {
    /// The gradients to begin with.
    fn begin(&mut self) -> Result<(), GraphError> {
        if let Some(cost) = self.request.cost {
            self.gradients.insert(cost.key(), one(cost)?);
        }
        for (variable, gradient) in self.request.known {
            let gradient = of_type(variable, gradient.clone())?;
            self.gradients.insert(variable.key(), gradient);
        }
        Ok(())
    }

    /// Goes from the last node to the first.
    fn back(&mut self) -> Result<(), GraphError> {
        let known = self.request.known.iter().map(|(it, _)| it);
        let roots: Vec<Variable> = self.request.cost.into_iter().chain(known).cloned().collect();
        let nodes = nodes(&[], &roots);
        check_memory(nodes.len())?;
        let way = GradientPath::new(self.request, &nodes);
        let mut branches = Branches::default();
        for node in nodes.iter().rev() {
            let gradients: Vec<Option<Variable>> =
                node.results().iter().map(|it| self.gradient_of(it)).collect();
            let wanted = way.wanted(node);
            if gradients.iter().all(Option::is_none) || !wanted.contains(&true) {
                continue;
            }
            // A formula makes several.
            check_memory(16)?;
            let (calculus, place) = (self.calculus, &self.request.place);
            let backward =
                BackwardNode { node, gradients: &gradients, wanted: &wanted, calculus, place };
            let found = match node.op() {
                Op::Row(row) => operator::gradients(row, &backward)?,
                Op::Custom(op) => custom::gradients(&**op, &backward)?,
            };
            for (at, (input, gradient)) in node.inputs().iter().zip(found).enumerate() {
                if let (Some(gradient), true) = (gradient, wanted[at]) {
                    self.arrive(input, branches.cleared(&backward, at, gradient)?)?;
                }
            }
        }
        Ok(())
    }

    /// What has come for a result whose type can have gradients.
    fn gradient_of(&self, result: &Variable) -> Option<Variable> {
        dtype_of_gradients(result.ty())?;
        self.gradients.get(&result.key()).cloned()
    }

    /// Adds a gradient to what has come for a variable.
    fn arrive(&mut self, variable: &Variable, gradient: Variable) -> Result<(), GraphError> {
        if self.request.known.iter().any(|(it, _)| it == variable) {
            return Ok(());
        }
        let gradient = of_type(variable, gradient)?;
        let sum = match self.gradients.remove(&variable.key()) {
            Some(before) => sum(before, gradient, self.calculus, self.request.place.clone())?,
            None => gradient,
        };
        self.gradients.insert(variable.key(), sum);
        Ok(())
    }

    fn found(&self) -> Result<GradientResult, GraphError> {
        let (mut gradients, mut disconnected) = (Vec::new(), Vec::new());
        for (at, variable) in self.request.wrt.iter().enumerate() {
            gradients.push(match self.gradients.get(&variable.key()) {
                Some(gradient) => gradient.clone(),
                None => {
                    disconnected.push(at);
                    zeros(variable, self.calculus, self.request.place.clone())?
                }
            });
        }
        Ok(GradientResult { gradients, disconnected })
    }
}

/// A gradient of the type of what it is for, or found to be when it runs; those of numbers of fewer
/// bits are not rounded.
fn of_type(variable: &Variable, gradient: Variable) -> Result<Variable, GraphError> {
    let host = |it: &Variable| it.ty().downcast::<Plain>().map(|it| it.host());
    if host(variable).is_some_and(|it| host(&gradient) == Some(it)) {
        return Ok(gradient);
    }
    if variable.ty().meet(gradient.ty()).is_err() {
        return Err(other_type(variable, &gradient).into());
    }
    filtered(variable, gradient)
}

#[cold]
fn other_type(variable: &Variable, gradient: &Variable) -> Error {
    Error::wrong_type(format_args!(
        "the gradient for {variable}, which is {}, is {}",
        variable.ty(),
        gradient.ty()
    ))
}

/// The gradient of a cost for itself.
fn one(cost: &Variable) -> Result<Variable, GraphError> {
    let value = match cost.ty().downcast::<Plain>().map(|it| it.host()) {
        Some(Plain::Complex128) => Value::Complex(1.0.into()),
        Some(_) => Value::Float(1.0),
        None => {
            let dtype = dtype_of_gradients(cost.ty()).unwrap_or(DType::Float64);
            Value::Tensor(Tensor::filled(&[], Scalar::Int(1), dtype, Device::Cpu)?)
        }
    };
    Ok(Variable::constant(cost.ty().clone(), value, None))
}
