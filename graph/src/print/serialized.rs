//! Serialized Ops: the Ops of this crate as data, for pickles.

use std::sync::Arc;

use opwright_runtime::types::{TensorType, TypeRef};

use crate::build::intrinsic::{
    Attribute, DeepCopy, ExtentOp, ItemOp, ShapeOp, SpecifyShape, ViewOp,
};
use crate::grad::{self, Calculus, SerializedVjp};
use crate::model::op::Custom;
use crate::model::variable::Variable;

/// What an Op of this crate is.
pub enum SerializedOp {
    /// One that its name tells apart.
    Named(String),
    /// One with a number.
    Numbered(String, usize),
    /// A part of a structure.
    Attribute(String),
    /// The gradient of something.
    Vjp(Box<SerializedVjp>),
}

impl SerializedOp {
    /// What an Op is, if it is one of a graph as it is written.
    pub fn of(op: &dyn Custom) -> Option<SerializedOp> {
        if let Some(it) = op.downcast::<ExtentOp>() {
            return Some(SerializedOp::Numbered(op.to_string(), it.0));
        }
        if let Some(it) = op.downcast::<ItemOp>() {
            return Some(SerializedOp::Numbered(op.to_string(), it.0));
        }
        if let Some(it) = op.downcast::<Attribute>() {
            return Some(SerializedOp::Attribute(it.name().to_owned()));
        }
        if let Some(it) = op.downcast::<grad::Vjp>() {
            return it.described().map(|it| SerializedOp::Vjp(Box::new(it)));
        }
        let is_named = op.downcast::<ShapeOp>().is_some()
            || op.downcast::<DeepCopy>().is_some()
            || op.downcast::<ViewOp>().is_some()
            || op.downcast::<SpecifyShape>().is_some()
            || grad::is_helper(op);
        is_named.then(|| SerializedOp::Named(op.to_string()))
    }

    /// The Op of nodes with these inputs and results; none if there is no such.
    pub fn made(
        self,
        inputs: &[Variable],
        types: &[TypeRef],
        calculus: Calculus,
    ) -> Option<Arc<dyn Custom>> {
        let tensor = |at: usize| inputs.get(at).and_then(|it| it.ty().downcast::<TensorType>());
        match self {
            SerializedOp::Named(name) => match (name.as_str(), inputs.len(), types) {
                ("shape", 1, [_]) => tensor(0).map(|_| Arc::new(ShapeOp) as Arc<dyn Custom>),
                ("deep_copy", 1, [_]) => Some(Arc::new(DeepCopy)),
                ("view", 1, [_]) => Some(Arc::new(ViewOp)),
                ("specify_shape", 1, [ty]) => {
                    ty.downcast::<TensorType>().map(|it| SpecifyShape::op(it.clone()))
                }
                (name, count, [_]) => grad::helper(name, count, calculus),
                _ => None,
            },
            SerializedOp::Numbered(name, number) => match (name.as_str(), inputs.len(), types) {
                ("shape_i", 1, [_]) if number < tensor(0)?.ndim() => {
                    Some(Arc::new(ExtentOp(number)))
                }
                ("item", 1, [_]) => Some(Arc::new(ItemOp(number))),
                _ => None,
            },
            SerializedOp::Attribute(name) => match (inputs, types) {
                ([input], [_]) => Attribute::op(input, &name),
                _ => None,
            },
            SerializedOp::Vjp(of) => {
                grad::Vjp::made(*of, inputs.len(), types.len(), calculus).map(|it| it as _)
            }
        }
    }
}
