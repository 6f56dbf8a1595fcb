//! The values of one call in progress.

use opwright_runtime::op::Value;
use smallvec::SmallVec;

use crate::failure::Failure;

/// What happens to a variable, or to a node, while a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A value is taken from outside.
    Extract,
    /// A variable gets what it is before something was computed.
    Init,
    /// A node runs.
    Code,
    /// A value is handed out.
    Sync,
    /// A variable ends.
    Cleanup,
}

impl Event {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Extract => "extract",
            Event::Init => "init",
            Event::Code => "code",
            Event::Sync => "sync",
            Event::Cleanup => "cleanup",
        }
    }
}

/// Who calls a function: gives what it takes, and takes what it gives.
pub trait Observer {
    /// The value of an input, of its type.
    ///
    /// # Errors
    ///
    /// Why the type refuses it.
    fn accept(&mut self, input: usize) -> Result<Value, Failure>;

    /// Takes the value of an output.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn emit(&mut self, output: usize, value: Value) -> Result<(), Failure>;

    /// Is told of what happens.
    ///
    /// # Errors
    ///
    /// Whatever it reports; the call ends with it.
    fn event(&mut self, _event: Event, _name: &str) -> Result<(), Failure> {
        Ok(())
    }
}

/// The values of one call: entered in order, left in the opposite order.
#[derive(Default)]
pub(crate) struct Frame(SmallVec<[Value; 16]>);

impl Frame {
    /// Enters a variable.
    pub(crate) fn enter(&mut self, value: Value) {
        self.0.push(value);
    }

    /// The value of a slot.
    pub(crate) fn get(&self, slot: usize) -> &Value {
        &self.0[slot]
    }

    /// Another value for a slot.
    pub(crate) fn put(&mut self, slot: usize, value: Value) {
        self.0[slot] = value;
    }

    /// How many variables were entered.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Leaves the variable that was entered last.
    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }
}
