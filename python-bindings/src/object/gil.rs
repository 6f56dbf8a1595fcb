//! The GIL: the threshold of work from which on it is released, and threads that come without it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::ffi::{self, PyGILState_STATE};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::signals;

/// The number of elements from which on a call releases the GIL, unless
/// somebody moves it.
///
/// `cargo xtask bench gil` measures it. On a machine of two cores a release,
/// with the counted handles and the watch for signals that come with it, costs
/// about 60 ns: 55 % of a call of 4 elements, 15 % of the cheapest kernel over
/// 4,096 and 5 % over 16,384, which takes 1 us. It can also cost a turn:
/// who releases beside a thread that computes in Python gets the GIL back after
/// the interpreter's switch interval of 5 ms. Hence no release before it is
/// cheap, and none where a call is over sooner than another thread wakes up.
pub(crate) const THRESHOLD: usize = 16_384;

static CURRENT: AtomicUsize = AtomicUsize::new(THRESHOLD);

/// What [`CURRENT`] is unless all calls release the GIL.
static CHOSEN: AtomicUsize = AtomicUsize::new(THRESHOLD);

/// Whether all calls release the GIL and so count their handles, because code of Python may run in
/// the middle of them.
static IS_ALWAYS: AtomicBool = AtomicBool::new(false);

/// Has all calls count their handles from now on, or those that are long.
pub(crate) fn count_always(is_always: bool) {
    IS_ALWAYS.store(is_always, Ordering::Relaxed);
    let chosen = CHOSEN.load(Ordering::Relaxed);
    CURRENT.store(if is_always { 0 } else { chosen }, Ordering::Relaxed);
}

/// The number of elements from which on a call releases the GIL.
#[inline(always)]
pub(crate) fn threshold() -> usize {
    CURRENT.load(Ordering::Relaxed)
}

/// Adds `_gil_threshold`, with which tests and measurements move the threshold.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(gil_threshold, module)?)
}

/// Returns the number of elements from which on a call releases the GIL, after
/// setting it if `elements` is given: 0 is always, the largest number never.
#[pyfunction(name = "_gil_threshold", signature = (elements = None, /))]
fn gil_threshold(elements: Option<usize>) -> usize {
    let before = CHOSEN.load(Ordering::Relaxed);
    let chosen = elements.unwrap_or(before);
    CHOSEN.store(chosen, Ordering::Relaxed);
    count_always(IS_ALWAYS.load(Ordering::Relaxed));
    chosen
}

/// Runs Rust code that touches `work` elements, without the GIL if they are many.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: usize,
    mut run: impl FnMut() -> T + Send,
) -> T {
    if work >= threshold() { signals::detached(py, run) } else { run() }
}

/// Runs code of Python for a caller in C; none where the interpreter is gone.
///
/// Where PyO3 has called Python and that has called C, which has released the GIL, as `ctypes` and XLA
/// do, PyO3 takes the thread for attached still, and `Python::try_attach` would run without the GIL.
pub(crate) fn attached<T>(run: impl FnOnce(Python<'_>) -> T) -> Option<T> {
    // SAFETY: it can be asked at any time.
    if unsafe { ffi::Py_IsInitialized() } == 0 {
        return None;
    }
    let _state = ThreadState::ensure();
    Python::try_attach(run)
}

/// The GIL is held until this is dropped, and then by whom it was before.
struct ThreadState(PyGILState_STATE);

impl ThreadState {
    fn ensure() -> ThreadState {
        // SAFETY: there is an interpreter; a thread that holds the GIL may ask for it again.
        ThreadState(unsafe { ffi::PyGILState_Ensure() })
    }
}

impl Drop for ThreadState {
    fn drop(&mut self) {
        // SAFETY: the state is what this thread got, and what was ensured later is released.
        unsafe { ffi::PyGILState_Release(self.0) }
    }
}
