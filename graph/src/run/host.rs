//! The host language trait: who calls a function, and what it is told.

use opwright_runtime::op::Value;
use opwright_runtime::types::TypeRef;

use crate::model::error::GraphError;

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
pub trait Host {
    /// The value of an input, of its type.
    ///
    /// # Errors
    ///
    /// Why the type refuses it.
    fn accept(&mut self, input: usize) -> Result<Value, GraphError>;

    /// The same, if it is a real number that needs no closer look.
    fn number(&mut self, _input: usize) -> Option<f64> {
        None
    }

    /// Takes the value of an output.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn emit(&mut self, output: usize, value: Value) -> Result<(), GraphError>;

    /// Takes a value and gives it back, as it does between the blocks of a function.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn pass(&mut self, _ty: &TypeRef, value: Value) -> Result<Value, GraphError> {
        Ok(value)
    }

    /// A value where an old one is that may be written to, or itself.
    ///
    /// # Errors
    ///
    /// Whatever it reports.
    fn refill(&mut self, _ty: &TypeRef, value: Value, _old: Value) -> Result<Value, GraphError> {
        Ok(value)
    }

    /// Whether it wants to be told of what happens.
    fn observes(&self) -> bool {
        false
    }

    /// Is told of what happens.
    ///
    /// # Errors
    ///
    /// Whatever it reports; the call ends with it.
    fn event(&mut self, _event: Event, _name: &str) -> Result<(), GraphError> {
        Ok(())
    }

    /// From how many elements on others shall run meanwhile.
    fn threshold(&self) -> usize {
        usize::MAX
    }

    /// Runs something while others run.
    fn released(&mut self, run: &mut (dyn FnMut() + Send)) {
        run();
    }
}
