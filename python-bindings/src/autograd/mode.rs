//! Grad mode and inference mode of this thread.

use opwright_runtime::autograd::{self, Mode};
use pyo3::prelude::*;

use crate::object::PyTensor;

/// A mode that a thread was in, which it can enter again.
#[pyclass(frozen, name = "_Mode", module = "opwright._C")]
pub(super) struct PyMode(Mode);

#[pymethods]
impl PyMode {
    /// Puts this thread into the mode.
    fn enter(&self) {
        self.0.enter();
    }
}

/// Whether calls of this thread are recorded.
#[pyfunction]
pub(super) fn is_grad_enabled() -> bool {
    Mode::current().records()
}

/// Says whether they are from now on, and returns whether they were.
#[pyfunction(name = "_set_grad_enabled")]
pub(super) fn set_recording(mode: bool) -> bool {
    autograd::set_recording(mode)
}

/// Whether this thread is in inference mode.
#[pyfunction]
pub(super) fn is_inference_mode_enabled() -> bool {
    autograd::is_inference()
}

/// Whether a tensor was made in inference mode.
#[pyfunction]
pub(super) fn is_inference(input: PyTensor) -> bool {
    input.0.is_inference()
}

/// Enters inference mode, or leaves it and records; returns the mode before.
#[pyfunction(name = "_enter_inference_mode")]
pub(super) fn enter_inference_mode(mode: bool) -> PyMode {
    PyMode(Mode::inference(mode).enter())
}
