//! Sum-to-shape: the gradient of a broadcast.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::autograd::Arithmetic;
use opwright_runtime::op::Value;
use opwright_runtime::types::TensorType;
use opwright_runtime::{Result, Tensor};
use smallvec::smallvec;

use super::request::{BackwardNode, Calculus};
use crate::model::apply::{Apply, custom};
use crate::model::error::GraphError;
use crate::model::op::{Custom, Results};
use crate::model::variable::Variable;

/// The gradient for a variable, summed over the dimensions along which that was stretched; none if
/// it cannot be for it.
pub(super) fn fitted(
    gradient: Variable,
    variable: &Variable,
    keeps_shape: bool,
    backward: &BackwardNode<'_>,
) -> Option<Variable> {
    let from = gradient.ty().downcast::<TensorType>()?;
    let to = variable.ty().downcast::<TensorType>()?;
    let is_known = || to.shape().iter().zip(from.shape()).all(|(a, b)| a.is_some() && a == b);
    let same_rank = from.ndim() == to.ndim();
    if from.dtype() == to.dtype() && same_rank && (keeps_shape || is_known()) {
        return Some(gradient);
    }
    if from.ndim() < to.ndim() {
        return None;
    }
    let op = Arc::new(Fitted(backward.calculus));
    let types = vec![variable.ty().clone()];
    let node = custom(op, vec![gradient, variable.clone()], types, backward.place.clone());
    Some(Variable::output(node, 0))
}

/// A tensor, summed to the shape of another one, and of its dtype.
pub(super) struct Fitted(Calculus);

impl Fitted {
    /// That of a module.
    pub(super) fn new(calculus: Calculus) -> Fitted {
        Fitted(calculus)
    }

    /// The tensor in the shape and the dtype of the other one.
    pub(super) fn tensor(&self, tensor: &Tensor, like: &Tensor) -> Result<Tensor> {
        let arithmetic: &dyn Arithmetic = self.0.arithmetic;
        let mut fitted = tensor.clone();
        if fitted.shape() != like.shape() {
            fitted = arithmetic.summed_to(&fitted, like.shape())?;
        }
        if fitted.dtype() != like.dtype() {
            fitted = arithmetic.cast(&fitted, like.dtype())?;
        }
        Ok(fitted)
    }
}

impl fmt::Display for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sum_to_like")
    }
}

impl Custom for Fitted {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Fitted>().is_some()
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Ok(smallvec![Value::Tensor(self.tensor(inputs[0].tensor()?, inputs[1].tensor()?)?)])
    }

    fn views(&self, _output: usize) -> &[usize] {
        &[0]
    }
}
