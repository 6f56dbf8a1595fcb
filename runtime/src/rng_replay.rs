//! RNG replay: the draws of a computation, recorded and drawn again.

use std::cell::RefCell;
use std::vec::IntoIter;

use crate::Draws;

/// Which random numbers a computation drew.
///
/// ```
/// use opwright_runtime::{RngReplay, Generator};
///
/// let generator = Generator::new(42);
/// let draw = || generator.reserve(1).unit_f64(0);
/// let (first, drawn) = RngReplay::record(draw);
/// assert_eq!(drawn.replay(draw), first);
/// assert_ne!(draw(), first);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RngReplay(Vec<Draws>);

/// What happens to what this thread draws.
enum ReplayMode {
    Off,
    Recording(Vec<Draws>),
    Replaying(IntoIter<Draws>),
}

thread_local! {
    static MODE: RefCell<ReplayMode> = const { RefCell::new(ReplayMode::Off) };
}

impl RngReplay {
    /// What a computation returns, and what it draws on this thread.
    pub fn record<R>(compute: impl FnOnce() -> R) -> (R, RngReplay) {
        let inserted = Inserted::new(ReplayMode::Recording(Vec::new()));
        let result = compute();
        let drawn = match inserted.remove() {
            ReplayMode::Recording(drawn) => drawn,
            ReplayMode::Off | ReplayMode::Replaying(_) => Vec::new(),
        };
        (result, RngReplay(drawn))
    }

    /// What a computation returns that draws the same once more, from whatever generators.
    pub fn replay<R>(&self, compute: impl FnOnce() -> R) -> R {
        let _inserted = Inserted::new(ReplayMode::Replaying(self.0.clone().into_iter()));
        compute()
    }

    /// It as numbers.
    pub fn words(&self) -> Vec<i64> {
        self.0.iter().flat_map(|it| [it.seed.cast_signed(), it.first.cast_signed()]).collect()
    }

    /// What [`words`](RngReplay::words) made numbers of.
    pub fn of_words(words: &[i64]) -> RngReplay {
        let (pairs, _) = words.as_chunks();
        let draws = |[seed, first]: &[i64; 2]| Draws {
            seed: seed.cast_unsigned(),
            first: first.cast_unsigned(),
        };
        RngReplay(pairs.iter().map(draws).collect())
    }
}

/// A mode that is in force until this is dropped, and then the one before.
struct Inserted(Option<ReplayMode>);

impl Inserted {
    fn new(tape: ReplayMode) -> Inserted {
        Inserted(Some(MODE.replace(tape)))
    }

    fn remove(mut self) -> ReplayMode {
        MODE.replace(self.0.take().unwrap_or(ReplayMode::Off))
    }
}

impl Drop for Inserted {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            MODE.set(before);
        }
    }
}

/// What a generator gives, or gave where it is drawn again.
pub(crate) fn taken(take: impl FnOnce() -> Draws) -> Draws {
    MODE.with_borrow_mut(|tape| match tape {
        ReplayMode::Off => take(),
        ReplayMode::Recording(drawn) => {
            let draws = take();
            drawn.push(draws);
            draws
        }
        ReplayMode::Replaying(drawn) => drawn.next().unwrap_or_else(take),
    })
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::Generator;

    #[test]
    fn words_hold_what_was_drawn() {
        let generator = Generator::new(u64::MAX);
        generator.reserve(u64::MAX - 1);
        let (_, drawn) = RngReplay::record(|| (generator.reserve(1), generator.reserve(2)));
        assert_eq!(drawn.words(), [-1, -2, -1, -1]);
        assert_eq!(RngReplay::of_words(&drawn.words()), drawn);
    }

    #[test]
    fn more_is_drawn_from_the_generator() {
        let generator = Generator::new(1);
        let (first, drawn) = RngReplay::record(|| generator.reserve(1));
        let again = drawn.replay(|| [generator.reserve(1), generator.reserve(1)]);
        assert_eq!(again[0], first);
        assert_ne!(again[1], first);
    }

    #[test]
    fn a_panic_ends_it() {
        let generator = Generator::new(1);
        let (first, drawn) = RngReplay::record(|| generator.reserve(1));
        assert!(catch_unwind(|| drawn.replay(|| panic!("in the middle"))).is_err());
        assert_ne!(generator.reserve(1), first);
    }
}
