//! The best of elements, and where it is.

use std::sync::{Mutex, PoisonError};

use opwright_runtime::dtype::Ordered;
use opwright_runtime::{multiversion, parallel};

use super::extremes::{greater, lesser};

/// The best element so far, and where it is.
#[derive(Clone, Copy)]
pub(super) struct Best<T> {
    pub(super) value: T,
    pub(super) place: usize,
}

impl<T: Ordered> Best<T> {
    /// No element; every other is better, or as good and before it.
    pub(super) fn none(worst: T) -> Best<T> {
        Best { value: worst, place: usize::MAX }
    }

    /// The better of two; of equal ones the first. What is not a number is best.
    #[inline(always)]
    pub(super) fn or(self, other: Best<T>, is_better: impl Fn(T, T) -> bool) -> Best<T> {
        let (a, b) = (self.value, other.value);
        let wins = match (a.is_not_a_number(), b.is_not_a_number()) {
            (false, false) => is_better(b, a) || (b == a && other.place < self.place),
            (true, true) => other.place < self.place,
            (_, b_wins) => b_wins,
        };
        if wins { other } else { self }
    }
}

/// So many elements are compared before anybody looks for the place of one.
const BLOCK: usize = 1024;

/// The first of the greatest elements.
pub(super) fn greatest_of<T: Ordered>(elements: &[T]) -> Best<T> {
    best_of(elements, T::LOWEST, |a, b| T::gt(&a, &b), greatest)
}

/// The first of the least elements.
pub(super) fn least_of<T: Ordered>(elements: &[T]) -> Best<T> {
    best_of(elements, T::HIGHEST, |a, b| T::lt(&a, &b), least)
}

/// Finds the block that has it first, by a loop without places.
fn best_of<T: Ordered>(
    elements: &[T],
    worst: T,
    is_better: impl Fn(T, T) -> bool + Copy + Sync,
    extreme: fn(&[T]) -> T,
) -> Best<T> {
    if elements.len() <= BLOCK {
        let value = extreme(elements);
        return Best { value, place: place_of(elements, value) };
    }
    let best = Mutex::new(Best::none(worst));
    let block_at = |at: usize| &elements[at * BLOCK..elements.len().min((at + 1) * BLOCK)];
    parallel::share(elements.len().div_ceil(BLOCK), BLOCK, &|blocks| {
        let found = blocks.fold(Best::none(worst), |best, at| {
            best.or(Best { value: extreme(block_at(at)), place: at }, is_better)
        });
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        *best = best.or(found, is_better);
    });
    let Best { value, place: block } = best.into_inner().unwrap_or_else(PoisonError::into_inner);
    Best { value, place: block * BLOCK + place_of(block_at(block), value) }
}

multiversion! {
    fn greatest<T>(elements: &[T]) -> T
    where
        [T: Ordered]
    {
        side_by_side(elements, T::LOWEST, greater)
    }

    fn least<T>(elements: &[T]) -> T
    where
        [T: Ordered]
    {
        side_by_side(elements, T::HIGHEST, lesser)
    }

    /// The first place of a value that is there.
    fn place_of<T>(elements: &[T], value: T) -> usize
    where
        [T: Ordered]
    {
        if value.is_not_a_number() {
            return elements.iter().position(|it| it.is_not_a_number()).unwrap_or(0);
        }
        let mut before = 0;
        for chunk in elements.as_chunks::<LANES>().0 {
            // Added up in bytes, because a search would compare one after the other.
            if chunk.iter().fold(0, |found, &it| found | u8::from(it == value)) != 0 {
                break;
            }
            before += LANES;
        }
        before + elements[before..].iter().position(|&it| it == value).unwrap_or(0)
    }
}

/// So many are compared side by side.
const LANES: usize = 32;

#[inline(always)]
fn side_by_side<T: Ordered>(elements: &[T], worst: T, choose: impl Fn(T, T) -> T) -> T {
    let (chunks, rest) = elements.as_chunks::<LANES>();
    let mut lanes = [worst; LANES];
    for chunk in chunks {
        for (lane, &it) in lanes.iter_mut().zip(chunk) {
            *lane = choose(*lane, it);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = choose(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    rest.iter().fold(lanes[0], |best, &it| choose(best, it))
}
