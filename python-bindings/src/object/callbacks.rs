//! Code of Python that runs in the middle of an operator: pack hooks, and what notes where a call is.
//!
//! An operator may have borrowed tensors from objects, and such code may give these other handles.
//! While it may run, calls of operators therefore count their handles; for what else borrows tensors,
//! what an object had before is kept until nobody can use it any more.

use std::sync::atomic::{AtomicUsize, Ordering};

use opwright_runtime::Tensor;
use opwright_runtime::lock::Lock;
use pyo3::prelude::*;

use super::gil;

/// How often such code may run: modes that are on, in any thread.
static MODES: AtomicUsize = AtomicUsize::new(0);

/// How much of it runs now.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

static RETIRED: Lock<Vec<Tensor>> = Lock::new(Vec::new());

/// Says that such code may run from now on.
pub(crate) fn begin(_py: Python<'_>) {
    MODES.fetch_add(1, Ordering::Relaxed);
    gil::count_always(true);
}

/// Whether such code may run.
pub(crate) fn may_run() -> bool {
    MODES.load(Ordering::Relaxed) > 0
}

/// Ends what [`begin`] began.
pub(crate) fn end(_py: Python<'_>) {
    let is_last = MODES.fetch_sub(1, Ordering::Relaxed) == 1;
    gil::count_always(!is_last);
    // Whoever has borrowed something and does not hold the GIL runs such code.
    if is_last && RUNNING.load(Ordering::Relaxed) == 0 {
        let retired = std::mem::take(&mut *RETIRED.lock());
        drop(retired);
    }
}

/// Runs such code.
pub(crate) fn run<R>(code: impl FnOnce() -> R) -> R {
    struct Ended;

    impl Drop for Ended {
        fn drop(&mut self) {
            RUNNING.fetch_sub(1, Ordering::Relaxed);
        }
    }

    RUNNING.fetch_add(1, Ordering::Relaxed);
    let _ended = Ended;
    code()
}

/// Drops the handle that an object had, as soon as no operator uses it.
pub(crate) fn retire(tensor: Tensor) {
    if MODES.load(Ordering::Relaxed) + RUNNING.load(Ordering::Relaxed) > 0 {
        RETIRED.lock().push(tensor);
    }
}
