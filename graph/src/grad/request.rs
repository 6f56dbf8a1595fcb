//! Requests: what a reverse pass is asked, and what each node is asked.

use std::sync::Arc;

use opwright_runtime::DType;
use opwright_runtime::autograd::Arithmetic;
use opwright_runtime::op::Operator;
use opwright_runtime::types::{Plain, TensorType, TypeRef};

use crate::model::apply::Apply;
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::Custom;
use crate::model::operator_tables::OperatorTables;
use crate::model::variable::Variable;
use crate::rewrite::RewriteRule;

/// What a module puts gradients together with.
#[derive(Clone, Copy)]
pub struct Calculus {
    /// What the gradient layer computes with.
    pub arithmetic: &'static dyn Arithmetic,
    /// The operator that adds two tensors, if there is one.
    pub sum: Option<&'static Operator>,
    /// The operators of the module.
    pub rows: OperatorTables,
    /// What calls without formulas may be replaced by.
    pub rules: &'static [Arc<RewriteRule>],
    /// Who knows the gradients of Ops that are not this crate's, if there are such.
    pub ops: Option<&'static dyn OpGradients>,
}

/// Who knows the gradients of Ops that are not this crate's.
pub trait OpGradients: Send + Sync {
    /// The gradients for the inputs of a node of such an Op; none in all if they are unknown.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn gradients(
        &self,
        op: &dyn Custom,
        backward: &BackwardNode<'_>,
    ) -> Result<Option<Vec<Option<Variable>>>, GraphError>;
}

/// What gradients are wanted.
pub struct Request<'a> {
    /// Of which variable without dimensions, if not all that is known is given.
    pub cost: Option<&'a Variable>,
    /// For which variables.
    pub wrt: &'a [Variable],
    /// Variables and gradients for them, which take the place of those that would come to them.
    pub known: &'a [(Variable, Variable)],
    /// Variables through which no gradient goes.
    pub constant: &'a [Variable],
    /// Where that was written.
    pub place: Option<CallSite>,
}

/// The gradients of a request.
pub struct GradientResult {
    /// One for each variable, of its type; zeros where there is none.
    pub gradients: Vec<Variable>,
    /// The variables, by their numbers, that the cost does not depend on.
    pub disconnected: Vec<usize>,
}

/// A node that is asked for the gradients of its inputs.
pub struct BackwardNode<'a> {
    /// The node.
    pub node: &'a Arc<Apply>,
    /// The gradient for each of its results, as far as there are some.
    pub gradients: &'a [Option<Variable>],
    /// For which inputs gradients are wanted.
    pub wanted: &'a [bool],
    /// What they are put together with.
    pub calculus: Calculus,
    /// Where they were asked for.
    pub place: &'a Option<CallSite>,
}

/// The dtype that gradients of a type are of, if there can be some.
pub fn dtype_of_gradients(ty: &TypeRef) -> Option<DType> {
    let dtype = match ty.downcast::<Plain>().map(|it| it.host()) {
        Some(Plain::Double) => DType::Float64,
        Some(Plain::Complex128) => DType::Complex128,
        Some(_) => return None,
        None => ty.downcast::<TensorType>()?.dtype(),
    };
    (dtype.is_floating() || dtype.is_complex_number()).then_some(dtype)
}
