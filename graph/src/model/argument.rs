//! Node arguments: inputs, values, and lists of them.

use opwright_runtime::Result;
use opwright_runtime::buffer;
use opwright_runtime::op::Value;

/// An argument of a node: one of its inputs, a value, or a list of such.
#[derive(Clone, Debug)]
pub enum NodeArgument {
    /// The input of this number.
    Input(usize),
    /// A value that is no variable.
    Value(Value),
    /// Several.
    List(Vec<NodeArgument>),
}

impl NodeArgument {
    /// The numbers of the inputs that it names, in order.
    pub fn each_input(&self, found: &mut dyn FnMut(usize)) {
        match self {
            NodeArgument::Input(at) => found(*at),
            NodeArgument::Value(_) => {}
            NodeArgument::List(items) => items.iter().for_each(|it| it.each_input(found)),
        }
    }

    /// The same with other numbers for its inputs.
    pub(crate) fn renumbered(self, places: &[usize]) -> NodeArgument {
        match self {
            NodeArgument::Input(at) => NodeArgument::Input(places[at]),
            NodeArgument::Value(value) => NodeArgument::Value(value),
            NodeArgument::List(items) => {
                NodeArgument::List(items.into_iter().map(|it| it.renumbered(places)).collect())
            }
        }
    }

    /// The value, where `input` says what the inputs are.
    ///
    /// # Errors
    ///
    /// What `input` reports; `Memory`.
    pub fn value(&self, input: &mut dyn FnMut(usize) -> Result<Value>) -> Result<Value> {
        match self {
            NodeArgument::Input(at) => input(*at),
            NodeArgument::Value(value) => Ok(value.clone()),
            NodeArgument::List(items) => {
                buffer::try_collected(items.iter().map(|it| it.value(input))).map(Value::List)
            }
        }
    }
}
