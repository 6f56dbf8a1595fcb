//! Gradient modes of a thread: whether it records, or makes tensors that can never be recorded.

use std::cell::Cell;

use crate::block_cache;

const RECORDING: u8 = 1;
const INFERENCE: u8 = 2;

thread_local! {
    static MODE: Cell<u8> = const { Cell::new(RECORDING) };
}

/// What a thread does with calls: whether it records them, and whether it is in inference mode, where
/// results cannot be recorded later either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode(u8);

impl Mode {
    /// That of this thread.
    pub fn current() -> Mode {
        Mode(MODE.get())
    }

    /// Inference mode, or else recording, as a new thread does.
    pub fn inference(is_inference: bool) -> Mode {
        Mode(if is_inference { INFERENCE } else { RECORDING })
    }

    /// Recording or not, and no inference mode.
    pub(super) fn recording(is_recording: bool) -> Mode {
        Mode(if is_recording { RECORDING } else { 0 })
    }

    /// Puts this thread into the mode, and returns the one that it was in.
    pub fn enter(self) -> Mode {
        let before = Mode(MODE.replace(self.0));
        if before.is_inference() != self.is_inference() {
            block_cache::mark(self.is_inference());
        }
        before
    }

    /// Runs what is inside in the mode; afterwards the thread is in the one that it was in.
    pub fn within<R>(self, run: impl FnOnce() -> R) -> R {
        let _restored = ModeGuard(self.enter());
        run()
    }

    /// Whether recording is on, also where inference mode overrules it.
    pub fn records(self) -> bool {
        self.0 & RECORDING != 0
    }

    /// Whether it is inference mode.
    pub fn is_inference(self) -> bool {
        self.0 & INFERENCE != 0
    }
}

/// Whether calls of this thread are recorded, if an argument requires gradients.
pub fn is_recording() -> bool {
    MODE.get() == RECORDING
}

/// Whether this thread is in inference mode.
pub fn is_inference() -> bool {
    Mode::current().is_inference()
}

/// Says whether this thread records from now on, and returns whether it did. Inference mode, where
/// nothing is recorded, stays.
pub fn set_recording(is_recording: bool) -> bool {
    let before = MODE.get();
    MODE.set(if is_recording { before | RECORDING } else { before & !RECORDING });
    before & RECORDING != 0
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
    let _restored = ModeGuard(Mode::current());
    set_recording(is_recording);
    run()
}

/// Runs what is inside in inference mode, or outside of it; afterwards it is as before.
///
/// ```
/// use opwright_runtime::autograd::{inference, is_recording};
/// use opwright_runtime::Tensor;
///
/// let x = inference(true, || {
///     assert!(!is_recording());
///     Tensor::from_slice(&[2], &[1.0, 2.0])
/// })?;
/// assert!(x.is_inference() && !x.copy()?.is_inference());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn inference<R>(is_inference: bool, run: impl FnOnce() -> R) -> R {
    Mode::inference(is_inference).within(run)
}

/// Puts back what was there before, also if the call unwinds.
struct ModeGuard(Mode);

impl Drop for ModeGuard {
    fn drop(&mut self) {
        self.0.enter();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Device, Tensor, view};

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
        inference(true, || {
            std::thread::scope(|it| {
                it.spawn(|| assert!(is_recording() && !is_inference()));
            });
        });
    }

    #[test]
    fn inference_mode_overrules_recording() {
        inference(true, || {
            assert!(!recording(true, is_recording) && !Mode::current().records());
            assert!(inference(false, is_recording) && is_inference());
        });
        assert!(is_recording() && !is_inference());
    }

    #[test]
    fn tensors_of_the_mode_stay_what_they_are() {
        let plain = Tensor::zeroed(&[2, 3], DType::Float64, Device::Cpu).unwrap();
        let make = |device| {
            [
                Tensor::zeroed(&[2, 3], DType::Float64, device).unwrap(),
                Tensor::allocate(&[200], DType::Float64, device).unwrap(),
                Tensor::allocate(&[], DType::Float64, device).unwrap(),
            ]
        };
        let made = inference(true, || {
            assert!(!view::select(&plain, 0, 1).unwrap().is_inference());
            assert!(!view::apart(&plain).unwrap().is_inference());
            assert!(plain.copy().unwrap().is_inference());
            [make(Device::Cpu), make(Device::Meta)]
        });
        for tensor in made.iter().flatten() {
            assert!(tensor.is_inference() && tensor.keys().has_inference());
            assert!(view::apart(tensor).unwrap().is_inference());
            assert!(view::unsqueeze(tensor, 0).unwrap().keys().has_inference());
        }
        let after = [make(Device::Cpu), make(Device::Meta)];
        assert!(!after.iter().flatten().any(Tensor::is_inference));
        assert!(!made[0][0].copy().unwrap().is_inference());
    }
}
