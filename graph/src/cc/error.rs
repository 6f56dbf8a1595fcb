//! Block errors: why nodes were not compiled.

use std::fmt;
use std::sync::Arc;

use opwright_jit::cc::CompileError;

use crate::model::apply::Apply;
use crate::model::error::GraphError;

/// Why a run of nodes did not become a block.
pub enum BlockError {
    /// What a hook raised.
    Graph(GraphError),
    /// A text that would not do what blocks rely on.
    Refused(String),
    /// A node whose Op writes no code, though it could have.
    NoCode(Arc<Apply>),
    /// What the compiler, the linker or the loader says.
    Compile(CompileError),
}

impl BlockError {
    pub(super) fn refused(text: impl fmt::Display) -> BlockError {
        BlockError::Refused(text.to_string())
    }
}

impl From<GraphError> for BlockError {
    fn from(failure: GraphError) -> BlockError {
        BlockError::Graph(failure)
    }
}

impl From<CompileError> for BlockError {
    fn from(error: CompileError) -> BlockError {
        BlockError::Compile(error)
    }
}
