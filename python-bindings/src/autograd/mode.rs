//! Whether this thread records.

use opwright_runtime::autograd;
use pyo3::prelude::*;

/// Whether calls of this thread are recorded.
#[pyfunction]
pub(super) fn is_grad_enabled() -> bool {
    autograd::is_recording()
}

/// Says whether they are from now on, and returns whether they were.
#[pyfunction(name = "_set_grad_enabled")]
pub(super) fn set_recording(mode: bool) -> bool {
    autograd::set_recording(mode)
}
