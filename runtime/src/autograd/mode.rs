//! Whether this thread records.

use std::cell::Cell;

thread_local! {
    static IS_RECORDING: Cell<bool> = const { Cell::new(true) };
}

/// Whether calls of this thread are recorded, if an argument requires gradients.
pub fn is_recording() -> bool {
    IS_RECORDING.get()
}

/// Says whether this thread records from now on, and returns whether it did.
pub fn set_recording(is_recording: bool) -> bool {
    IS_RECORDING.replace(is_recording)
}

/// Runs what is inside with or without recording; afterwards it is as before.
///
/// ```
/// use opwright_runtime::autograd::{is_recording, recording};
///
/// assert!(!recording(false, is_recording));
/// assert!(is_recording());
/// ```
pub fn recording<R>(is_recording: bool, run: impl FnOnce() -> R) -> R {
    let _restored = Restored(set_recording(is_recording));
    run()
}

/// Puts back what was there before, also if the call unwinds.
struct Restored(bool);

impl Drop for Restored {
    fn drop(&mut self) {
        IS_RECORDING.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_nest_and_survive_panics() {
        recording(false, || {
            assert!(recording(true, is_recording));
            assert!(!is_recording());
        });
        let panicked = std::panic::catch_unwind(|| recording(false, || panic!("seen")));
        assert!(panicked.is_err() && is_recording());
    }

    #[test]
    fn other_threads_record() {
        recording(false, || {
            std::thread::scope(|it| {
                it.spawn(|| assert!(is_recording()));
            });
        });
    }
}
