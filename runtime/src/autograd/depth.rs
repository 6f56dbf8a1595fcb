//! Reentrant backward passes, which hooks begin while another pass calls them, at any depth.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use super::mode::Mode;
use super::packing;
use crate::interrupt::{self, Crew, INTERVAL};
use crate::{Error, Result, ensure};

/// So many passes within one another take the stack of the thread that began the first; the next one
/// gets a thread of its own. Languages that limit the depth of calls do so by the thread, too.
const MOST: usize = 40;

/// So many passes take the stack of such a thread.
const MOST_OF_OWN: usize = 80;

/// So many passes within one another, on all of these threads, are more than anybody means.
const MOST_OF_ALL: usize = 12_000;

/// What is said of one more.
pub const TOO_DEEP: &str = "passes within each other are more than 12000 deep: a hook or the backward \
                            of a function begins a pass that calls it again";

/// The stack of such a thread; what no pass comes to is not there.
const STACK: usize = 16 << 20;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Those of the threads that wait for this one.
    static BEFORE: Cell<usize> = const { Cell::new(0) };
}

/// How many passes are within one another where this thread is: those that its hooks have begun and not
/// ended, and those of the threads that wait for it.
///
/// At most 12000. A language that limits the depth of its own calls compares it with that.
pub fn nested_passes() -> usize {
    BEFORE.get() + DEPTH.get()
}

/// Runs a pass within those that this thread runs.
///
/// # Errors
///
/// What the pass reports; `Runtime` if another thread is needed and the system gives none.
pub(super) fn within<T: Send>(run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    ensure!(nested_passes() < MOST_OF_ALL, Runtime, "{TOO_DEEP}");
    let most = if BEFORE.get() == 0 { MOST } else { MOST_OF_OWN };
    if DEPTH.get() >= most {
        return elsewhere(run);
    }
    let _deeper = Deeper::new();
    run()
}

/// Runs a pass on another thread, in the modes of this one.
fn elsewhere<T: Send>(run: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let (mode, packings) = (Mode::current(), packing::packings());
    let before = nested_passes();
    let crew = &Crew::default();
    let (done, wait) = mpsc::channel();
    let work = move || {
        BEFORE.set(before);
        mode.enter();
        packing::set_packings(packings);
        let _deeper = Deeper::new();
        run()
    };
    thread::scope(|scope| {
        let help = move || {
            crew.help(|| {
                // Who waits for it may have gone.
                let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
            });
        };
        let builder = thread::Builder::new().name("opwright pass".to_owned()).stack_size(STACK);
        builder.spawn_scoped(scope, help).map_err(|error| no_thread(&error))?;
        let mut result = None;
        crew.lead(|| result = waited(&wait));
        match result {
            Some(Ok(result)) => result,
            Some(Err(payload)) => resume_unwind(payload),
            None => Err(Error::runtime("the thread of a pass has ended without a result")),
        }
    })
}

/// What comes, unless the call that this thread works for is interrupted.
fn waited<T>(wait: &Receiver<T>) -> Option<T> {
    loop {
        match wait.recv_timeout(INTERVAL) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Timeout) => interrupt::check(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}

#[cold]
fn no_thread(error: &std::io::Error) -> Error {
    Error::runtime(format_args!(
        "a pass within {} others needs a thread of its own, and the system gives none: {error}",
        nested_passes()
    ))
}

/// While it lives, this thread runs one pass more.
struct Deeper;

impl Deeper {
    fn new() -> Deeper {
        DEPTH.set(DEPTH.get() + 1);
        Deeper
    }
}

impl Drop for Deeper {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autograd::{is_recording, recording};

    fn nested(levels: usize) -> Result<usize> {
        within(|| if levels == 0 { Ok(DEPTH.get()) } else { nested(levels - 1) })
    }

    #[test]
    fn deep_passes_begin_anew_on_another_thread() {
        assert_eq!(nested(MOST - 1).unwrap(), MOST);
        assert_eq!(nested(MOST).unwrap(), 1);
        assert_eq!(nested(MOST + MOST_OF_OWN - 1).unwrap(), MOST_OF_OWN);
        assert_eq!(nested(MOST + MOST_OF_OWN).unwrap(), 1);
        assert!((1..=MOST_OF_OWN).contains(&nested(MOST_OF_ALL - 1).unwrap()));
        assert_eq!(nested(MOST_OF_ALL).unwrap_err().message(), TOO_DEEP);
        assert_eq!(nested_passes(), 0);
    }

    #[test]
    fn other_threads_are_in_the_same_mode_and_hand_panics_back() {
        fn deep(levels: usize, run: fn() -> bool) -> Result<bool> {
            within(|| if levels == 0 { Ok(run()) } else { deep(levels - 1, run) })
        }
        assert!(!recording(false, || deep(MOST, is_recording)).unwrap());
        let panicked = catch_unwind(|| deep(MOST, || std::panic::panic_any("seen")));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"seen"));
        assert_eq!(DEPTH.get(), 0);
    }
}
