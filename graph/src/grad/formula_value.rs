//! Values of gradient formulas, and the arguments of the nodes that they become.

use std::sync::Arc;

use opwright_runtime::op::{Type, Value};
use opwright_runtime::types::{Plain, TypeRef};

use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

/// What a part of a formula comes to.
#[derive(Clone)]
pub(super) enum FormulaValue {
    Variable(Variable),
    Value(Value),
    List(Vec<FormulaValue>),
    Absent,
}

/// The inputs and the arguments of a node that is built.
#[derive(Default)]
pub(super) struct NodeArguments {
    pub(super) inputs: Vec<Variable>,
    pub(super) arguments: Vec<NodeArgument>,
}

impl NodeArguments {
    /// A part of a formula for a parameter of this type; none if it cannot be for it.
    pub(super) fn argument(&mut self, item: FormulaValue, ty: &Type) -> Option<NodeArgument> {
        Some(match (ty, item) {
            (_, FormulaValue::Variable(variable)) => self.input(variable),
            (Type::Optional(_), FormulaValue::Absent) => NodeArgument::Value(Value::None),
            (_, FormulaValue::Absent) => return None,
            (Type::Optional(inner), item) => self.argument(item, inner)?,
            (Type::Tensor, FormulaValue::Value(value)) => {
                let plain = Plain::ALL.iter().copied().find(|it| it.of_value(&value))?;
                let ty: TypeRef = Arc::new(plain);
                self.input(Variable::constant(ty, value, None))
            }
            (Type::Float, FormulaValue::Value(value)) => {
                NodeArgument::Value(Value::Float(value.float().ok()?))
            }
            (_, FormulaValue::Value(value)) => NodeArgument::Value(value),
            (Type::List(element, _), FormulaValue::List(items)) => {
                let items = items.into_iter().map(|it| self.argument(it, element));
                folded(items.collect::<Option<_>>()?)
            }
            (_, FormulaValue::List(_)) => return None,
        })
    }

    fn input(&mut self, variable: Variable) -> NodeArgument {
        let known = self.inputs.iter().position(|it| *it == variable);
        NodeArgument::Input(known.unwrap_or_else(|| {
            self.inputs.push(variable);
            self.inputs.len() - 1
        }))
    }
}

/// A list without variables is a value.
fn folded(items: Vec<NodeArgument>) -> NodeArgument {
    let values: Option<Vec<Value>> = items
        .iter()
        .map(|it| match it {
            NodeArgument::Value(value) => Some(value.clone()),
            NodeArgument::Input(_) | NodeArgument::List(_) => None,
        })
        .collect();
    values.map_or(NodeArgument::List(items), |it| NodeArgument::Value(Value::List(it)))
}
