//! The best of elements, and where it is.

use std::sync::{Mutex, PoisonError};

use opwright_runtime::dtype::Ordered;
use opwright_runtime::{interrupt, multiversion, parallel};

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
const BLOCK: usize = 1 << 13;

/// The greatest of elements.
pub(super) fn greatest_value<T: Ordered>(elements: &[T]) -> T {
    best_block(elements, T::LOWEST, |a, b| T::gt(&a, &b), greatest).value
}

/// The least of elements.
pub(super) fn least_value<T: Ordered>(elements: &[T]) -> T {
    best_block(elements, T::HIGHEST, |a, b| T::lt(&a, &b), least).value
}

/// The first of the greatest elements.
pub(super) fn greatest_of<T: Ordered>(elements: &[T]) -> Best<T> {
    found(elements, best_block(elements, T::LOWEST, |a, b| T::gt(&a, &b), greatest))
}

/// The first of the least elements.
pub(super) fn least_of<T: Ordered>(elements: &[T]) -> Best<T> {
    found(elements, best_block(elements, T::HIGHEST, |a, b| T::lt(&a, &b), least))
}

/// The place of the best element of this block.
fn found<T: Ordered>(elements: &[T], Best { value, place: block }: Best<T>) -> Best<T> {
    Best { value, place: block * BLOCK + place_of(block_at(elements, block), value) }
}

fn block_at<T>(elements: &[T], block: usize) -> &[T] {
    &elements[block * BLOCK..elements.len().min((block + 1) * BLOCK)]
}

/// The best element, and the block that has it first: a loop without places finds it.
fn best_block<T: Ordered>(
    elements: &[T],
    worst: T,
    is_better: impl Fn(T, T) -> bool + Copy + Sync,
    extreme: fn(&[T]) -> T,
) -> Best<T> {
    if elements.len() <= BLOCK {
        return Best { value: extreme(elements), place: 0 };
    }
    let best = Mutex::new(Best::none(worst));
    parallel::share(elements.len().div_ceil(BLOCK), BLOCK, &|blocks| {
        let found = blocks.fold(Best::none(worst), |best, at| {
            best.or(Best { value: extreme(block_at(elements, at)), place: at }, is_better)
        });
        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
        *best = best.or(found, is_better);
    });
    best.into_inner().unwrap_or_else(PoisonError::into_inner)
}

multiversion! {
    wide fn greatest<T>(elements: &[T]) -> T
    where
        [T: Ordered]
    {
        side_by_side(elements, T::LOWEST, |a, b| T::gt(&a, &b), greater)
    }

    wide fn least<T>(elements: &[T]) -> T
    where
        [T: Ordered]
    {
        side_by_side(elements, T::HIGHEST, |a, b| T::lt(&a, &b), lesser)
    }

    /// The first place of a value that is there.
    wide fn place_of<T>(elements: &[T], value: T) -> usize
    where
        [T: Ordered]
    {
        if value.is_not_a_number() {
            return elements.iter().position(|it| it.is_not_a_number()).unwrap_or(0);
        }
        let (chunks, rest) = elements.as_chunks::<LANES>();
        for (at, chunk) in chunks.iter().enumerate() {
            // Added up in bytes, because a search would compare one after the other.
            if chunk.iter().fold(0, |found, &it| found | u8::from(it == value)) != 0 {
                return at * LANES + first_set(&chunk.map(|it| u8::from(it == value)));
            }
        }
        let place = rest.iter().position(|&it| it == value).unwrap_or(0);
        chunks.len() * LANES + place
    }
}

/// The place of the first byte that is not 0, of which there is one, by eight at a time. A function
/// of its own, so that the compiler does not put the eight together lane by lane.
#[inline(never)]
fn first_set(bytes: &[u8; LANES]) -> usize {
    let (words, _) = bytes.as_chunks::<8>();
    let words = words.iter().map(|it| u64::from_le_bytes(*it)).enumerate().rev();
    words.fold(
        0,
        |first, (at, word)| {
            if word == 0 { first } else { 8 * at + word.trailing_zeros() as usize / 8 }
        },
    )
}

/// So many are compared side by side.
const LANES: usize = 64;

/// So many bytes ahead the next elements, or those of the next row, are asked for: while a place is
/// looked for, the processor would not ask by itself.
const AHEAD: usize = 2048;

/// Asks for the lines of the cache with so many bytes, if there are such.
#[inline(always)]
fn prefetch<T>(start: *const T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes).step_by(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has it, and what is not there is not fetched.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_byte_add(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, bytes);
}

/// The best of elements by two comparisons: whether any is not a number is asked apart.
#[inline(always)]
fn side_by_side<T: Ordered>(
    elements: &[T],
    worst: T,
    is_better: impl Fn(T, T) -> bool,
    choose: impl Fn(T, T) -> T,
) -> T {
    let Some(last) = elements.last_chunk::<LANES>() else {
        return elements.iter().fold(worst, |best, &it| choose(best, it));
    };
    let (mut lanes, mut strange) = (*last, [false; LANES]);
    // What the last chunk has in common with the others may be compared twice.
    for chunk in elements.as_chunks::<LANES>().0 {
        prefetch(chunk.as_ptr().wrapping_byte_add(AHEAD), size_of_val(chunk));
        for ((lane, strange), &it) in lanes.iter_mut().zip(&mut strange).zip(chunk) {
            *lane = if is_better(it, *lane) { it } else { *lane };
            *strange |= it.is_not_a_number();
        }
    }
    let is_strange =
        strange.iter().zip(last).fold(false, |all, (&it, last)| all | it | last.is_not_a_number());
    if is_strange {
        return elements.iter().copied().find(|it| it.is_not_a_number()).unwrap_or(worst);
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            let (one, other) = (lanes[lane], lanes[lane + half]);
            lanes[lane] = if is_better(other, one) { other } else { one };
        }
        half /= 2;
    }
    lanes[0]
}

/// So many columns are compared at once.
pub(super) const COLUMNS: usize = 256;

/// The best of each of some columns.
pub(super) struct BestOfColumns<T> {
    pub(super) values: [T; COLUMNS],
    pub(super) places: [u32; COLUMNS],
}

multiversion! {
    /// The first of the best elements of each of `width` columns, whose rows are `stride` elements
    /// apart.
    pub(super) wide fn best_of_columns<T, F>(
        elements: &[T],
        length: usize,
        stride: usize,
        width: usize,
        is_better: F,
    ) -> BestOfColumns<T>
    where
        [T: Ordered, F: Fn(T, T) -> bool]
    {
        let row = |at: usize| &elements[at * stride..][..width];
        let (mut values, mut places) = ([elements[0]; COLUMNS], [0; COLUMNS]);
        values[..width].copy_from_slice(row(0));
        for at in 1..length {
            interrupt::check_at(at * COLUMNS);
            let both = values.iter_mut().zip(&mut places);
            for ((value, place), &it) in both.zip(row(at)) {
                let is_first_strange = it.is_not_a_number() & !value.is_not_a_number();
                let wins = is_first_strange | (is_better(it, *value) & !value.is_not_a_number());
                *value = if wins { it } else { *value };
                *place = if wins { at as u32 } else { *place };
            }
        }
        BestOfColumns { values, places }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better<T: Ordered>(a: T, b: T) -> bool {
        a > b
    }

    /// Numbers of which many are equal, and some are none.
    fn numbers(length: usize, kind: usize) -> Vec<f32> {
        let number = |at: usize| (at.wrapping_mul(7919) % 101) as f32 - 50.0;
        let one = |at: usize| match kind {
            0 => number(at),
            1 if at % 37 == 36 => f32::NAN,
            1 => number(at),
            2 => 0.0_f32.copysign(number(at)),
            _ => f32::NEG_INFINITY,
        };
        (0..length).map(one).collect()
    }

    #[test]
    fn the_first_of_the_greatest_is_found() {
        for length in [1, 2, 31, 63, 64, 65, 127, 128, 1000, BLOCK, BLOCK + 1, 3 * BLOCK + 70] {
            for kind in 0..4 {
                let all = numbers(length, kind);
                let each = all.iter().enumerate().map(|(place, &value)| Best { value, place });
                let expected = each.fold(Best::none(f32::NEG_INFINITY), |a, b| a.or(b, better));
                let found = greatest_of(&all);
                assert_eq!(found.place, expected.place, "{length} {kind}");
                let value = greatest_value(&all);
                assert!(value == expected.value || value.is_nan() && expected.value.is_nan());
            }
        }
    }

    #[test]
    fn columns_are_like_rows() {
        for (length, stride) in [(1, 8), (40, 9), (100, 300)] {
            for kind in 0..4 {
                let all = numbers(length * stride, kind);
                for first in (0..stride).step_by(COLUMNS) {
                    let width = COLUMNS.min(stride - first);
                    let found = best_of_columns(&all[first..], length, stride, width, better);
                    for column in 0..width {
                        let line = all[first + column..].iter().step_by(stride).copied();
                        let expected = greatest_of(&line.collect::<Vec<_>>());
                        assert_eq!(found.places[column] as usize, expected.place);
                    }
                }
            }
        }
    }
}
