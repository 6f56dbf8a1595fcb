//! The Ops `item` and `attribute`: elements of lists, parts of structures.

use std::fmt;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::Value;
use opwright_runtime::types::ListType;
use smallvec::smallvec;

use super::shape::{ShapeOp, extent};
use crate::model::apply::{Apply, custom};
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::{Custom, Op, Results};
use crate::model::variable::Variable;

/// An element of a list.
pub struct ItemOp(pub usize);

impl fmt::Display for ItemOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("item")
    }
}

impl Custom for ItemOp {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<ItemOp>().is_some_and(|it| it.0 == self.0)
    }

    fn perform(&self, _: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        let Value::List(items) = &inputs[0] else {
            return Err(Error::wrong_type("expected a list").into());
        };
        let item = items.get(self.0).ok_or_else(|| no_item(self.0, items.len()))?;
        Ok(smallvec![item.clone()])
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("i".to_owned(), self.0.to_string())]
    }
}

#[cold]
fn no_item(at: usize, len: usize) -> Error {
    Error::out_of_range(format_args!("index {at} is out of range for a list of {len}"))
}

/// An element of a variable of lists; of the extents of a tensor, that extent.
///
/// # Errors
///
/// A variable of something else; an index that it does not have.
pub fn item(variable: &Variable, at: i64, place: Option<CallSite>) -> Result<Variable, GraphError> {
    let list = variable.ty().downcast::<ListType>();
    let list = list.ok_or_else(|| {
        Error::wrong_type(format_args!("values of {} have no elements to index", variable.ty()))
    })?;
    let index = match list.len() {
        Some(len) if at < 0 => at + len as i64,
        _ => at,
    };
    let index = usize::try_from(index).ok().filter(|it| list.len().is_none_or(|len| *it < len));
    let index = index.ok_or_else(|| {
        Error::out_of_range(format_args!("index {at} is out of range for {}", variable.ty()))
    })?;
    if let Some((node, _)) = variable.owner()
        && let Op::Custom(op) = node.op()
        && op.downcast::<ShapeOp>().is_some()
    {
        return extent(&node.inputs()[0], index as i64, place);
    }
    let types = vec![list.of().clone()];
    let node = custom(Arc::new(ItemOp(index)), vec![variable.clone()], types, place);
    Ok(Variable::output(node, 0))
}

/// A part of a structure.
pub struct Attribute {
    at: usize,
    name: String,
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("attribute")
    }
}

impl Custom for Attribute {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<Attribute>().is_some_and(|it| it.at == self.at)
    }

    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        match node.inputs()[0].ty().part(&inputs[0], self.at) {
            Some(part) => Ok(smallvec![part]),
            None => Err(Error::wrong_type(format_args!("the value has no '{}'", self.name)).into()),
        }
    }

    fn views(&self, _: usize) -> &[usize] {
        &[0]
    }

    fn settings(&self) -> Vec<(String, String)> {
        vec![("name".to_owned(), self.name.clone())]
    }
}

impl Attribute {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The Op that gives what values of the variable's type have under a name.
    pub(crate) fn op(variable: &Variable, name: &str) -> Option<Arc<dyn Custom>> {
        let (at, _) = variable.ty().attribute(name)?;
        Some(Arc::new(Attribute { at, name: name.to_owned() }))
    }
}

/// What values of the variable's type have under a name, if they have anything.
pub fn attribute(variable: &Variable, name: &str, place: Option<CallSite>) -> Option<Variable> {
    let (at, ty) = variable.ty().attribute(name)?;
    let op = Arc::new(Attribute { at, name: name.to_owned() });
    Some(Variable::output(custom(op, vec![variable.clone()], vec![ty], place), 0))
}
