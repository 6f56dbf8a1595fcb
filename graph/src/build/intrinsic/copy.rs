//! The Ops `deep_copy` and `view`.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::op::Value;
use opwright_runtime::types::TypeRef;
use smallvec::smallvec;

use crate::model::apply::{Apply, custom};
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::{Custom, Results};
use crate::model::variable::Variable;

/// A copy that shares nothing.
pub struct DeepCopy;

impl fmt::Display for DeepCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deep_copy")
    }
}

impl Custom for DeepCopy {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<DeepCopy>().is_some()
    }

    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Ok(smallvec![node.outputs()[0].ty().deep_copy(&inputs[0])?])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(Some(vec![inputs[0].ty().clone()]))
    }
}

/// A variable whose values share nothing with those of another one.
pub fn deep_copy(variable: &Variable, place: Option<CallSite>) -> Variable {
    let types = vec![variable.ty().clone()];
    Variable::output(custom(Arc::new(DeepCopy), vec![variable.clone()], types, place), 0)
}

/// The same value.
pub struct ViewOp;

impl fmt::Display for ViewOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("view")
    }
}

impl Custom for ViewOp {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<ViewOp>().is_some()
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Ok(smallvec![inputs[0].clone()])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(Some(vec![inputs[0].ty().clone()]))
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }
}

/// A variable with the same values as another one.
pub fn view(variable: &Variable, place: Option<CallSite>) -> Variable {
    let types = vec![variable.ty().clone()];
    Variable::output(custom(Arc::new(ViewOp), vec![variable.clone()], types, place), 0)
}
