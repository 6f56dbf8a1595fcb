//! Work that an interrupt need not wait for.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use opwright_runtime::{Error, Result, interrupt};

/// So many multiplications take a tenth of a second or so.
const LONG: f64 = 2e8;

/// How often somebody asks whether to go on.
const PAUSE: Duration = Duration::from_millis(20);

/// Runs `work` of so many multiplications; if they take long, on a thread of its own,
/// while this one waits. `faer` cannot be stopped, so after an interrupt that thread
/// comes to its end for nobody.
///
/// # Errors
///
/// Those of `work`; `Memory` if there is no other thread to be had.
pub(crate) fn apart<R: Send + 'static>(
    multiplications: f64,
    work: impl FnOnce() -> Result<R> + Send + 'static,
) -> Result<R> {
    if multiplications < LONG {
        return work();
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    // Who was interrupted does not listen any more.
    let run = move || sender.send(work()).unwrap_or(());
    let thread = thread::Builder::new().name("opwright-linalg".to_owned());
    let thread = thread.spawn(run).map_err(|error| Error::memory(error.to_string()))?;
    loop {
        match receiver.recv_timeout(PAUSE) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => interrupt::check(),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(payload) => std::panic::resume_unwind(payload),
                Ok(()) => return Err(Error::runtime("a decomposition ended without a result")),
            },
        }
    }
}
