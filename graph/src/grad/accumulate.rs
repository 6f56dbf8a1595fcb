//! Accumulation of gradients: sums, and zeros.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::op::{Operator, Value};
use opwright_runtime::types::{Plain, TensorType};
use opwright_runtime::{Device, Error, Scalar, Tensor};
use smallvec::smallvec;

use super::request::{BackwardNode, Calculus, dtype_of_gradients};
use super::sum_to_like::Fitted;
use crate::model::apply::{Apply, custom};
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::{Custom, Op, Results};
use crate::model::variable::Variable;

impl BackwardNode<'_> {
    /// The gradients for all results: zeros where none came; none for what can have no gradient.
    ///
    /// # Errors
    ///
    /// `Memory`.
    pub fn all_gradients(&self) -> Result<Vec<Option<Variable>>, GraphError> {
        let results = self.node.results().into_iter().zip(self.gradients);
        let all = results.map(|(result, gradient)| match gradient {
            Some(gradient) => Ok(Some(gradient.clone())),
            None if dtype_of_gradients(result.ty()).is_none() => Ok(None),
            None => zeros(&result, self.calculus, self.place.clone()).map(Some),
        });
        all.collect()
    }
}

/// The sum of two gradients for one variable.
pub(super) fn sum(
    a: Variable,
    b: Variable,
    calculus: Calculus,
    place: Option<CallSite>,
) -> Result<Variable, GraphError> {
    // Both are of one dtype and of one shape, whatever is known of that.
    let ty = a.ty().meet(b.ty())?;
    let node = match calculus.sum {
        Some(row) => {
            let (inputs, second) = if a == b { (vec![a], 0) } else { (vec![a, b], 1) };
            let arguments = with_defaults(row, &[0, second]);
            Apply::new(Op::Row(row), inputs, arguments, vec![ty], place)
        }
        None => custom(Arc::new(Sum(calculus)), vec![a, b], vec![ty], place),
    };
    Ok(Variable::output(node, 0))
}

/// The arguments of a row whose first parameters are these inputs.
fn with_defaults(row: &Operator, inputs: &[usize]) -> Vec<NodeArgument> {
    let params = row.params.iter().enumerate();
    let arguments = params.map(|(at, param)| match inputs.get(at) {
        Some(input) => NodeArgument::Input(*input),
        None => NodeArgument::Value(param.default.map_or(Value::None, |it| it.value())),
    });
    arguments.collect()
}

/// Zeros of the type and the shape of a variable.
pub(super) fn zeros(
    like: &Variable,
    calculus: Calculus,
    place: Option<CallSite>,
) -> Result<Variable, GraphError> {
    let ty = like.ty().clone();
    if dtype_of_gradients(&ty).is_none() && ty.downcast::<TensorType>().is_none() {
        return Err(Error::wrong_type(format_args!("there are no zeros of {ty}")).into());
    }
    let value = match ty.downcast::<TensorType>() {
        None if ty.downcast::<Plain>().map(|it| it.host()) == Some(Plain::Complex128) => {
            Value::Complex(0.0.into())
        }
        None => Value::Float(0.0),
        Some(known) => match known.shape().iter().copied().collect::<Option<Vec<i64>>>() {
            Some(shape) => {
                Value::Tensor(Tensor::filled(&shape, Scalar::Int(0), known.dtype(), Device::Cpu)?)
            }
            None => {
                let node = custom(Arc::new(Zeros(calculus)), vec![like.clone()], vec![ty], place);
                return Ok(Variable::output(node, 0));
            }
        },
    };
    Ok(Variable::constant(ty, value, None))
}

/// Whether an Op is one of those that gradients are put together with.
pub(crate) fn is_helper(op: &dyn Custom) -> bool {
    op.downcast::<Sum>().is_some()
        || op.downcast::<Zeros>().is_some()
        || op.downcast::<Fitted>().is_some()
}

/// The one of a name that takes so many inputs.
pub(crate) fn helper(name: &str, inputs: usize, calculus: Calculus) -> Option<Arc<dyn Custom>> {
    match (name, inputs) {
        ("sum_of_gradients", 2) => Some(Arc::new(Sum(calculus))),
        ("zeros_of_gradients", 1) => Some(Arc::new(Zeros(calculus))),
        ("sum_to_like", 2) => Some(Arc::new(Fitted::new(calculus))),
        _ => None,
    }
}

/// The sum of two tensors, in a module without operators.
pub(super) struct Sum(Calculus);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sum_of_gradients")
    }
}

impl Custom for Sum {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Sum>().is_some()
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        if let (Ok(a), Ok(b)) = (inputs[0].tensor(), inputs[1].tensor()) {
            return Ok(smallvec![Value::Tensor(self.0.arithmetic.sum(a, b)?)]);
        }
        let sum = match (inputs[0].scalar()?, inputs[1].scalar()?) {
            (Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a + b),
            (a, b) => Scalar::Complex(a.to_complex() + b.to_complex()),
        };
        Ok(smallvec![sum.into()])
    }
}

/// Zeros like a tensor.
pub(super) struct Zeros(Calculus);

impl fmt::Display for Zeros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("zeros_of_gradients")
    }
}

impl Custom for Zeros {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Zeros>().is_some()
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Ok(smallvec![Value::Tensor(self.0.arithmetic.zeros_like(inputs[0].tensor()?)?)])
    }
}
