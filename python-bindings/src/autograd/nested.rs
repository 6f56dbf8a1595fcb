//! Passes that begin while another one runs.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

use opwright_runtime::autograd::{Pass, is_recording, recording};
use opwright_runtime::{Error, Result, Tensor};

/// So many passes run within one another on one stack, whose interpreter also counts the calls on
/// it; the next one gets a thread for itself.
const DEPTH: u32 = 60;

/// How large its stack is, of which only what is used takes memory.
const STACK: usize = 16 << 20;

thread_local! {
    static RUNNING: Cell<u32> = const { Cell::new(0) };
}

/// Counts a pass of this thread as long as it lives.
struct Running(u32);

impl Running {
    fn begin() -> Running {
        let before = RUNNING.get();
        RUNNING.set(before + 1);
        Running(before)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Runs a pass, which unwinds as the pass does.
///
/// # Errors
///
/// What the pass reports; `Runtime` if there is no thread for a pass deep within others.
pub(super) fn run(pass: Pass<'_>) -> Result<Vec<Option<Tensor>>> {
    if RUNNING.get() < DEPTH {
        let _running = Running::begin();
        return pass.run();
    }
    let is_recorded = is_recording();
    thread::scope(|scope| {
        let run = move || {
            let _running = Running::begin();
            recording(is_recorded, || pass.run())
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.map_err(|error| {
            Error::runtime(format_args!(
                "a pass that begins within {DEPTH} others gets no thread: {error}"
            ))
        })?;
        thread.join().unwrap_or_else(|payload| resume_unwind(payload))
    })
}
