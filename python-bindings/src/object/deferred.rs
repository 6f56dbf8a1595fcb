//! Deferred deallocation: objects of nodes that were let go of by code which may not hold the GIL.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::lock::Lock;
use pyo3::prelude::*;

static WAITING: Lock<Vec<Py<PyAny>>> = Lock::new(Vec::new());

/// Whether something may wait: it is asked whenever a tensor's object is freed.
static IS_ANY: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IS_DRAINING: Cell<bool> = const { Cell::new(false) };
}

/// Keeps an object until somebody with the GIL lets go of it.
pub(crate) fn defer(object: Py<PyAny>) {
    WAITING.lock().push(object);
    IS_ANY.store(true, Ordering::Release);
}

/// Lets go of what waits, if something does. Whoever calls it holds the GIL.
#[inline(always)]
pub(crate) fn drain() {
    if IS_ANY.load(Ordering::Relaxed) {
        drain_all();
    }
}

/// One object after the other, without a call within a call: one that goes lets go of nodes, whose
/// objects wait in their turn.
#[cold]
fn drain_all() {
    if IS_DRAINING.replace(true) {
        return;
    }
    // None while the interpreter shuts down: then nobody cares any more.
    Python::try_attach(|_| {
        while let Some(object) = next() {
            drop(object);
        }
    });
    IS_DRAINING.set(false);
}

fn next() -> Option<Py<PyAny>> {
    let mut waiting = WAITING.lock();
    let next = waiting.pop();
    if next.is_none() {
        IS_ANY.store(false, Ordering::Release);
    }
    next
}

/// A last field, behind fields that may let go of nodes.
#[derive(Default)]
pub(crate) struct Drained;

impl Drop for Drained {
    fn drop(&mut self) {
        drain();
    }
}
