//! Cancellation of a call, at Ctrl-C or by its caller.
//!
//! Who starts a call can have it [`watched`]: from time to time the kernels ask
//! whether to go on. If not, the call unwinds, threads that help with it stop
//! too, and the caller catches what it unwinds with. Nothing is printed, and
//! nothing that takes a short time ever asks.
//!
//! Tensors that the call was writing to hold old and new elements, and stay
//! sound.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What an interrupted call unwinds with.
pub type Payload = Box<dyn Any + Send>;

/// Asks whether to go on; if not, returns what to unwind with.
pub type Ask = fn() -> Option<Payload>;

/// How often somebody is asked. Short enough for a person who waits, long
/// enough for an answer that has to wait for a lock.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

thread_local! {
    static ASK: Cell<Option<Ask>> = const { Cell::new(None) };
    /// When the question was last asked, or would have been for the first time.
    static ASKED: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Set for a helper: what tells it to stop.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Runs `body`, which `ask` can interrupt.
#[inline]
pub fn watched<T>(ask: Ask, body: impl FnOnce() -> T) -> T {
    let _before = Before { ask: ASK.replace(Some(ask)), asked: ASKED.take() };
    body()
}

/// Runs `body`, which nobody can interrupt: with a lock that others may wait for while they hold what
/// the answer needs.
pub(crate) fn unwatched<T>(body: impl FnOnce() -> T) -> T {
    let _before = Before { ask: ASK.take(), asked: ASKED.take() };
    body()
}

/// Puts back what was there, also if `body` unwinds.
struct Before {
    ask: Option<Ask>,
    asked: Option<Instant>,
}

impl Drop for Before {
    #[inline]
    fn drop(&mut self) {
        ASK.set(self.ask);
        ASKED.set(self.asked);
    }
}

/// Unwinds if the call that this thread works for was interrupted.
///
/// For loops that may run for more than some milliseconds; those of this crate
/// call it. It costs a nanosecond, or the look at a clock where somebody watches.
#[inline]
pub fn check() {
    if let Some(ask) = ASK.get() {
        check_with(ask);
    } else if is_stopped() {
        resume_unwind(Box::new(Stopped));
    }
}

/// [`check`] once in so many elements of a loop that one thread runs alone.
#[inline(always)]
pub fn check_at(element: usize) {
    if element.is_multiple_of(1 << 16) {
        check();
    }
}

/// Items, with a [`check`] once in so many.
#[inline]
pub fn checked<I: Iterator>(items: I) -> impl Iterator<Item = I::Item> {
    // Not at 0, which every short list has.
    items.enumerate().inspect(|(at, _)| check_at(at + 1)).map(|(_, item)| item)
}

fn check_with(ask: Ask) {
    let now = Instant::now();
    match ASKED.get() {
        Some(before) if now - before >= INTERVAL => {}
        Some(_) => return,
        None => return ASKED.set(Some(now)),
    }
    if is_stopped() {
        resume_unwind(Box::new(Stopped));
    }
    let answer = ask();
    // Not `now`: the answer may have taken long, which must not become a habit.
    ASKED.set(Some(Instant::now()));
    if let Some(payload) = answer {
        resume_unwind(payload);
    }
}

fn is_stopped() -> bool {
    STOP.with_borrow(|it| it.as_ref().is_some_and(|it| it.load(Ordering::Relaxed)))
}

/// What a helper unwinds with, after somebody else said why.
struct Stopped;

/// The threads that share a piece of work.
#[derive(Clone, Default)]
pub(crate) struct Crew(Arc<AtomicBool>);

impl Crew {
    /// Whether one of them has given up.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The part of the thread that was called. If it unwinds, all stop.
    pub(crate) fn lead(&self, work: impl FnOnce()) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
            self.0.store(true, Ordering::Relaxed);
            resume_unwind(payload);
        }
    }

    /// The part of another thread.
    pub(crate) fn help(&self, work: impl FnOnce()) {
        let before = STOP.replace(Some(Arc::clone(&self.0)));
        let result = catch_unwind(AssertUnwindSafe(work));
        STOP.set(before);
        let Err(payload) = result else { return };
        self.0.store(true, Ordering::Relaxed);
        if !payload.is::<Stopped>() {
            resume_unwind(payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::share;
    use std::sync::atomic::AtomicUsize;

    /// Interrupts the first time it is asked.
    fn at_once() -> Option<Payload> {
        Some(Box::new("interrupted"))
    }

    fn payload_of(body: impl FnOnce()) -> Option<&'static str> {
        let payload = catch_unwind(AssertUnwindSafe(body)).err()?;
        payload.downcast_ref::<&str>().copied()
    }

    #[test]
    fn work_that_is_shared_stops() {
        let visited = AtomicUsize::new(0);
        let slowly = |range: std::ops::Range<usize>| {
            for _ in range {
                std::thread::sleep(Duration::from_millis(1));
                visited.fetch_add(1, Ordering::Relaxed);
            }
        };
        let start = Instant::now();
        let payload = payload_of(|| watched(at_once, || share(100_000, 1000, &slowly)));
        assert_eq!(payload, Some("interrupted"));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let after = visited.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(visited.load(Ordering::Relaxed), after, "helpers go on");
    }

    #[test]
    fn helpers_of_helpers_stop() {
        let nested = |range: std::ops::Range<usize>| {
            for _ in range {
                share(1000, 1000, &|range| {
                    std::thread::sleep(Duration::from_millis(1) * range.len() as u32)
                });
            }
        };
        let payload = payload_of(|| watched(at_once, || share(1000, 1_000_000, &nested)));
        assert_eq!(payload, Some("interrupted"));
    }

    #[test]
    fn who_is_not_watched_is_not_asked() {
        assert_eq!(payload_of(|| watched(at_once, || ())), None);
        std::thread::sleep(INTERVAL);
        check();
        assert!(ASK.get().is_none());
    }

    #[test]
    fn the_watch_ends_with_the_call() {
        let payload = payload_of(|| {
            watched(at_once, || {
                check();
                std::thread::sleep(INTERVAL);
                check();
            });
        });
        assert_eq!(payload, Some("interrupted"));
        check();
    }
}
