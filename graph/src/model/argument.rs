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
    /// The numbers of the inputs that it names, in order.
    pub fn each_input(&self, found: &mut dyn FnMut(usize)) {
        match self {
            Argument::Input(at) => found(*at),
            Argument::Value(_) => {}
            Argument::List(items) => items.iter().for_each(|it| it.each_input(found)),
        }
    }

    /// The same with other numbers for its inputs.
    pub(crate) fn renumbered(self, places: &[usize]) -> Argument {
        match self {
            Argument::Input(at) => Argument::Input(places[at]),
            Argument::Value(value) => Argument::Value(value),
            Argument::List(items) => {
                Argument::List(items.into_iter().map(|it| it.renumbered(places)).collect())
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
            Argument::Input(at) => input(*at),
            Argument::Value(value) => Ok(value.clone()),
            Argument::List(items) => {
                buffer::try_collected(items.iter().map(|it| it.value(input))).map(Value::List)
            }
        }
    }
}
