//! Random numbers that are drawn a second time.

use std::cell::RefCell;
use std::vec::IntoIter;

use crate::Draws;

/// Which random numbers a computation drew.
///
/// ```
/// use opwright_runtime::{Drawn, Generator};
///
/// let generator = Generator::new(42);
/// let draw = || generator.reserve(1).unit_f64(0);
/// let (first, drawn) = Drawn::by(draw);
/// assert_eq!(drawn.again(draw), first);
/// assert_ne!(draw(), first);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn(Vec<Draws>);

/// What happens to what this thread draws.
enum Tape {
    Off,
    Noting(Vec<Draws>),
    Repeating(IntoIter<Draws>),
}

thread_local! {
    static TAPE: RefCell<Tape> = const { RefCell::new(Tape::Off) };
}

impl Drawn {
    /// What a computation returns, and what it draws on this thread.
    pub fn by<R>(compute: impl FnOnce() -> R) -> (R, Drawn) {
        let inserted = Inserted::new(Tape::Noting(Vec::new()));
        let result = compute();
        let drawn = match inserted.remove() {
            Tape::Noting(drawn) => drawn,
            Tape::Off | Tape::Repeating(_) => Vec::new(),
        };
        (result, Drawn(drawn))
    }

    /// What a computation returns that draws the same once more, from whatever generators.
    pub fn again<R>(&self, compute: impl FnOnce() -> R) -> R {
        let _inserted = Inserted::new(Tape::Repeating(self.0.clone().into_iter()));
        compute()
    }

    /// It as numbers.
    pub fn words(&self) -> Vec<i64> {
        self.0.iter().flat_map(|it| [it.seed.cast_signed(), it.first.cast_signed()]).collect()
    }

    /// What [`words`](Drawn::words) made numbers of.
    pub fn of_words(words: &[i64]) -> Drawn {
        let (pairs, _) = words.as_chunks();
        let draws = |[seed, first]: &[i64; 2]| Draws {
            seed: seed.cast_unsigned(),
            first: first.cast_unsigned(),
        };
        Drawn(pairs.iter().map(draws).collect())
    }
}

/// A tape that is in its place until this is dropped, and then the one before.
struct Inserted(Option<Tape>);

impl Inserted {
    fn new(tape: Tape) -> Inserted {
        Inserted(Some(TAPE.replace(tape)))
    }

    fn remove(mut self) -> Tape {
        TAPE.replace(self.0.take().unwrap_or(Tape::Off))
    }
}

impl Drop for Inserted {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            TAPE.set(before);
        }
    }
}

/// What a generator gives, or gave where it is drawn again.
pub(crate) fn taken(take: impl FnOnce() -> Draws) -> Draws {
    TAPE.with_borrow_mut(|tape| match tape {
        Tape::Off => take(),
        Tape::Noting(drawn) => {
            let draws = take();
            drawn.push(draws);
            draws
        }
        Tape::Repeating(drawn) => drawn.next().unwrap_or_else(take),
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
        let (_, drawn) = Drawn::by(|| (generator.reserve(1), generator.reserve(2)));
        assert_eq!(drawn.words(), [-1, -2, -1, -1]);
        assert_eq!(Drawn::of_words(&drawn.words()), drawn);
    }

    #[test]
    fn more_is_drawn_from_the_generator() {
        let generator = Generator::new(1);
        let (first, drawn) = Drawn::by(|| generator.reserve(1));
        let again = drawn.again(|| [generator.reserve(1), generator.reserve(1)]);
        assert_eq!(again[0], first);
        assert_ne!(again[1], first);
    }

    #[test]
    fn a_panic_ends_it() {
        let generator = Generator::new(1);
        let (first, drawn) = Drawn::by(|| generator.reserve(1));
        assert!(catch_unwind(|| drawn.again(|| panic!("in the middle"))).is_err());
        assert_ne!(generator.reserve(1), first);
    }
}
