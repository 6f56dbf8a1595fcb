//! Arguments of nodes.

use opwright_runtime::Result;
use opwright_runtime::buffer;
use opwright_runtime::op::Value;

/// An argument of a node: one of its inputs, a value, or a list of such.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The input of this number.
    Input(usize),
    /// A value that is no variable.
    Value(Value),
    /// Several.
    List(Vec<Argument>),
}

impl Argument {
    /// The value, where `input` says what the inputs are.
    ///
    /// # Errors
    ///
    /// What `input` reports; `Memory`.
    pub fn value(&self, input: &mut dyn FnMut(usize) -> Result<Value>) -> Result<Value> {
        match self {
            Argument::Input(at) => input(*at),
            Argument::Value(value) => Ok(value.clone()),
            Argument::List(items) => {
                buffer::try_collected(items.iter().map(|it| it.value(input))).map(Value::List)
            }
        }
    }
}
