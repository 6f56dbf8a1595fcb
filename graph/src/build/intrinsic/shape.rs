//! The Ops `shape` and `shape_i`: extents of tensors.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::op::Value;
use opwright_runtime::types::{ListType, Plain, TensorType, TypeRef};
use smallvec::smallvec;

use crate::model::apply::{Apply, custom};
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::{Custom, Results};
use crate::model::variable::Variable;

/// The extents of a tensor.
pub struct ShapeOp;

impl fmt::Display for ShapeOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shape")
    }
}

impl Custom for ShapeOp {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<ShapeOp>().is_some()
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let shape = inputs[0].tensor()?.shape();
        Ok(smallvec![Value::List(shape.iter().copied().map(Value::Int).collect())])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(Some(vec![extents_of(&inputs[0])?]))
    }
}

/// The type of the extents of a tensor.
fn extents_of(variable: &Variable) -> Result<TypeRef, GraphError> {
    let ty = variable.ty().downcast::<TensorType>().ok_or_else(|| no_shape(variable))?;
    Ok(Arc::new(ListType::new(Arc::new(Plain::Int64), Some(ty.ndim()))))
}

#[cold]
fn no_shape(variable: &Variable) -> Error {
    Error::wrong_type(format_args!("values of {} have no shape", variable.ty()))
}

/// The extents of a variable of tensors, as a variable.
///
/// # Errors
///
/// A variable of something else.
pub fn shape(variable: &Variable, place: Option<CallSite>) -> Result<Variable, GraphError> {
    let types = vec![extents_of(variable)?];
    let node = custom(Arc::new(ShapeOp), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// One extent of a variable of tensors, as a variable; it may count from the last.
///
/// # Errors
///
/// A variable of something else; a dimension that it does not have.
pub fn extent(
    variable: &Variable,
    dim: i64,
    place: Option<CallSite>,
) -> Result<Variable, GraphError> {
    let ty = variable.ty().downcast::<TensorType>().ok_or_else(|| no_shape(variable))?;
    let dim = wrap_dim(dim, ty.ndim())?;
    let types: Vec<TypeRef> = vec![Arc::new(Plain::Int64)];
    let node = custom(Arc::new(ExtentOp(dim)), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// One extent of a tensor.
pub struct ExtentOp(pub usize);

impl fmt::Display for ExtentOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("shape_i")
    }
}

impl Custom for ExtentOp {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<ExtentOp>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let tensor = inputs[0].tensor()?;
        Ok(smallvec![Value::Int(tensor.size_of(self.0 as i64)?)])
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("i".to_owned(), self.0.to_string())]
    }
}
