//! Options of blocks: how those of a function are made, and who is told what happens in them.

use opwright_graph::cc::BlockSettings;
use pyo3::prelude::*;

/// How blocks of a function are made, and who is told what happens in them.
pub(super) struct BlockOptions<'py> {
    pub(super) per_op: bool,
    pub(super) check_input: bool,
    pub(super) reuse_outputs: bool,
    pub(super) compiler: Option<String>,
    pub(super) on_event: Option<Bound<'py, PyAny>>,
    /// Whether blocks are looked at when they run.
    pub(super) verifies: bool,
}

impl<'py> BlockOptions<'py> {
    /// What a `Mode` says.
    ///
    /// # Errors
    ///
    /// What reading its attributes raises.
    pub(super) fn of(mode: &Bound<'py, PyAny>, reuse_outputs: bool) -> PyResult<BlockOptions<'py>> {
        let on_event = mode.getattr("on_event")?;
        Ok(BlockOptions {
            per_op: mode.getattr("blocks")?.eq("per_op")?,
            check_input: mode.getattr("check_input")?.is_truthy()?,
            reuse_outputs,
            compiler: mode.getattr("cc")?.extract()?,
            on_event: (!on_event.is_none()).then_some(on_event),
            verifies: false,
        })
    }

    /// The same for blocks that are compared with what nodes do without.
    pub(super) fn verifying(self) -> BlockOptions<'py> {
        BlockOptions { per_op: true, on_event: None, reuse_outputs: false, verifies: true, ..self }
    }

    pub(super) fn settings(&self) -> BlockSettings<'_> {
        BlockSettings {
            per_op: self.per_op,
            check_input: self.check_input,
            observed: self.on_event.is_some() || self.verifies,
            reuse_outputs: self.reuse_outputs,
            compiler: self.compiler.as_deref(),
        }
    }
}
