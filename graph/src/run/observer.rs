//! Observation of nodes while a function runs: the profiler and the debug mode.

use opwright_runtime::op::Value;
use opwright_runtime::types::TypeRef;

use crate::model::error::GraphError;
use crate::run::error::ExecutionError;
use crate::run::frame::Frame;
use crate::run::plan::ExecutionPlan;
use crate::run::step::NodeStep;

/// Who watches the nodes of a function: runs each of them, and sees what enters and leaves.
pub(crate) trait NodeObserver: Send + Sync {
    /// All inputs are in their slots.
    fn entered(&self, _frame: &Frame) -> Result<(), GraphError> {
        Ok(())
    }

    /// Runs the node of this number.
    fn run(
        &self,
        at: usize,
        step: &NodeStep,
        plan: &ExecutionPlan,
        frame: &mut Frame,
    ) -> Result<(), Box<ExecutionError>>;

    /// A value is handed out.
    fn emitted(&self, _ty: &TypeRef, _value: &Value) -> Result<(), GraphError> {
        Ok(())
    }
}
