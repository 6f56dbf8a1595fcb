//! The Op `specify_shape`: assertion of extents.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TensorType, TypeRef};
use smallvec::smallvec;

use crate::model::apply::{Apply, custom};
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::{Custom, Results};
use crate::model::text;
use crate::model::variable::Variable;

/// The same tensor, which is found to have this type.
pub struct SpecifyShape(TensorType);

impl SpecifyShape {
    /// That of a type.
    pub(crate) fn op(ty: TensorType) -> Arc<dyn Custom> {
        Arc::new(SpecifyShape(ty))
    }
}

impl fmt::Display for SpecifyShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("specify_shape")
    }
}

impl Custom for SpecifyShape {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<SpecifyShape>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let tensor = inputs[0].tensor()?;
        if !self.0.has_tensor(tensor) {
            return Err(GraphError::Mismatch(mismatch(&self.0, tensor.shape())));
        }
        Ok(smallvec![inputs[0].clone()])
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Ok(Some(vec![self.0.clone().shared().meet(inputs[0].ty())?]))
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("shape".to_owned(), text::extents(&self.0))]
    }
}

#[cold]
fn mismatch(wanted: &TensorType, shape: &[i64]) -> String {
    let got = text::dims(shape);
    let differs = wanted.shape().iter().zip(shape).position(|(a, b)| a.is_some_and(|a| a != *b));
    match differs {
        Some(at) => format!(
            "specify_shape: dimension {at}: expected {}, got {} (shape {got})",
            wanted.shape()[at].unwrap_or_default(),
            shape[at],
        ),
        None => format!(
            "specify_shape: expected {} dimensions, got {} (shape {got})",
            wanted.ndim(),
            shape.len(),
        ),
    }
}

/// The variable with what `ty` knows of it, or itself if that says nothing new.
///
/// # Errors
///
/// A clash of both types.
pub fn specified(
    variable: &Variable,
    ty: &TypeRef,
    place: Option<CallSite>,
) -> Result<Variable, GraphError> {
    if ty.is_super(&**variable.ty()) {
        return Ok(variable.clone());
    }
    let met = ty.meet(variable.ty())?;
    if let Some(value) = variable.as_constant() {
        let value = met.accept(value.clone(), Coerce::Strict)?;
        return Ok(Variable::constant(met, value, variable.label().name().as_deref()));
    }
    let wanted = met.downcast::<TensorType>();
    let wanted = wanted.ok_or_else(|| Error::wrong_type(format_args!("{met} has no shape")))?;
    let op = Arc::new(SpecifyShape(wanted.clone()));
    let node = custom(op, vec![variable.clone()], vec![met.clone()], place);
    Ok(Variable::output(node, 0))
}
