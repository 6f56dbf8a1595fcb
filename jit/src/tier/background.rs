//! The thread that runs the C compiler while programs go on.
//!
//! It is there as long as something is to be compiled, so that nothing waits for it at the end of the
//! process. A child of a fork has neither the thread nor what it was to do.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::thread;

use opwright_runtime::lock::{Lock, Taken, Turn};

use super::Tiered;

/// What is to be compiled, and in which process.
type Jobs = VecDeque<(u32, Weak<Tiered>)>;

static JOBS: Lock<Jobs> = Lock::new(VecDeque::new());

/// Who has it compiles what is to be compiled.
static WORKER: Turn = Turn::new();

/// Compiles a program as C, later.
pub(super) fn compile(tiered: &Arc<Tiered>) {
    JOBS.lock().push_back((std::process::id(), Arc::downgrade(tiered)));
    let Some(turn) = WORKER.try_take() else { return };
    let made = thread::Builder::new().name("opwright-cc".to_owned()).spawn(|| work(turn));
    if let Err(error) = made {
        // The turn went with the thread that was not made.
        tiered.refuse(format!("no thread to compile in: {error}"));
    }
}

fn work(mut turn: Taken<'static>) {
    loop {
        while let Some(job) = next() {
            // What was dropped meanwhile is not compiled.
            if let Some(tiered) = job.upgrade() {
                tiered.compile();
            }
        }
        drop(turn);
        // Whoever came before the turn was over has left it to this thread.
        if JOBS.lock().is_empty() {
            return;
        }
        turn = match WORKER.try_take() {
            Some(turn) => turn,
            None => return,
        };
    }
}

/// The next of this process.
fn next() -> Option<Weak<Tiered>> {
    let own = std::process::id();
    loop {
        let (process, job) = JOBS.lock().pop_front()?;
        if process == own {
            return Some(job);
        }
    }
}
