//! Objects as arguments of nodes.

use opwright_graph::{NodeArgument, Variable};
use opwright_runtime::op::{Type, Value};
use pyo3::prelude::*;

use super::{boxing, method_proxy, variable};
use crate::object::{Failure, elements, is_sequence};
use crate::op::values;

/// The variables that the arguments of a call name.
#[derive(Default)]
pub(super) struct Inputs(pub(super) Vec<Variable>);

impl Inputs {
    /// An object as a variable: one itself, or a constant.
    ///
    /// # Errors
    ///
    /// `TypeError` if no type is known for it.
    pub(super) fn variable(object: &Bound<'_, PyAny>) -> PyResult<Variable> {
        let leads = method_proxy::variable(object);
        if let Some(known) = variable::of(leads.as_ref().unwrap_or(object)) {
            return Ok(known);
        }
        let (ty, value) = boxing::typed(object)?;
        boxing::constant(ty, value, None)
    }

    /// An argument for a parameter of this type.
    ///
    /// # Errors
    ///
    /// What reading a value raises.
    pub(super) fn argument(
        &mut self,
        object: &Bound<'_, PyAny>,
        ty: &Type,
    ) -> Result<NodeArgument, Failure> {
        let leads = method_proxy::variable(object);
        if let Some(known) = variable::of(leads.as_ref().unwrap_or(object)) {
            return Ok(self.input(known));
        }
        match ty {
            Type::Optional(_) if object.is_none() => Ok(NodeArgument::Value(Value::None)),
            Type::Optional(inner) => self.argument(object, inner),
            Type::List(element, _) if is_sequence(object) => {
                let items =
                    elements::<_, [NodeArgument; 4]>(object, |it| self.argument(it, element))?;
                Ok(folded(items.into_vec()))
            }
            Type::List(element, _) => self.argument(object, element),
            Type::Tensor => Ok(self.constant(object)?),
            ty => Ok(NodeArgument::Value(values::value(object, ty)?)),
        }
    }

    /// A tensor, or a number in its place, as a constant.
    fn constant(&mut self, object: &Bound<'_, PyAny>) -> PyResult<NodeArgument> {
        let (ty, value) = boxing::typed(object)?;
        Ok(self.input(boxing::constant(ty, value, None)?))
    }

    /// A variable, which is one input however often it is named.
    pub(super) fn input(&mut self, variable: Variable) -> NodeArgument {
        let known = self.0.iter().position(|it| *it == variable);
        NodeArgument::Input(known.unwrap_or_else(|| {
            self.0.push(variable);
            self.0.len() - 1
        }))
    }
}

/// A list without variables is a value.
fn folded(items: Vec<NodeArgument>) -> NodeArgument {
    let is_value = |it: &NodeArgument| matches!(it, NodeArgument::Value(_));
    if !items.iter().all(is_value) {
        return NodeArgument::List(items);
    }
    let values = items.into_iter().map(|it| match it {
        NodeArgument::Value(value) => value,
        NodeArgument::Input(_) | NodeArgument::List(_) => Value::None,
    });
    NodeArgument::Value(Value::List(values.collect()))
}
