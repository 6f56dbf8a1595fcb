//! The specification of a function: its inputs, outputs and updates, and how it is to run.

use crate::model::variable::Variable;

/// What a function is made of.
pub struct FunctionSpec {
    /// What it is given.
    pub inputs: Vec<InputSpec>,
    /// What it gives.
    pub outputs: Vec<OutputSpec>,
    /// Shared variables, and what they become.
    pub updates: Vec<(Variable, Variable)>,
    /// How it runs.
    pub mode: Mode,
}

/// How a function runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Whether each node is a block of its own, with the host between them.
    pub per_node: bool,
    /// Who watches the nodes.
    pub instrument: Instrument,
    /// Whether results go to where those of the last call are.
    pub reuse: bool,
    /// Whether chains of element-wise operators run as one.
    pub fused: bool,
    /// How many threads a call has at most; 0 where nobody says.
    pub threads: usize,
    /// Whether each result gets memory of its own.
    pub plain: bool,
}

/// Who watches the nodes of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instrument {
    /// Nobody.
    #[default]
    None,
    /// The profiler: times and sizes are noted.
    Profile,
    /// The debug mode: each node runs alone, on copies, and is checked.
    Debug,
}

/// A variable that a function is given.
pub struct InputSpec {
    /// The variable.
    pub variable: Variable,
    /// Whether results may share its memory.
    pub is_lent: bool,
    /// Whether its memory may be written to.
    pub is_mutable: bool,
}

/// A variable that a function computes.
pub struct OutputSpec {
    /// The variable.
    pub variable: Variable,
    /// Whether the caller may get memory that others have.
    pub is_lent: bool,
}
