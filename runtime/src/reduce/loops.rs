//! The loops of a reduction that are compiled for its elements and accumulators.

use std::marker::PhantomData;

use super::fold::Reducer;
use super::source::MOST;
use crate::{Element, multiversion};

/// How many accumulators share a group of elements, so that the processor can work on them side by
/// side.
const LANES: usize = 16;

/// So many elements go into a lane before the next lane has its turn.
const DEPTH: usize = 8;

/// Fewer elements go one after the other into the same accumulator.
pub(super) const WORTH_LANES: usize = 32;

/// The most elements of a group, which has an accumulator of its own.
pub(super) const GROUP: usize = MOST;

/// So many groups are combined at once, as [`Tree`](super::accumulators::Tree) would.
pub(super) const GROUPS: usize = 4;

/// What is compiled anew for each type of element and of accumulator. All that is around it sees
/// accumulators as bytes, and is compiled once.
///
/// # Safety
///
/// Elements are initialised and of the type of the loops; accumulators have the size and alignment
/// that they say, and were started if they are read.
pub(super) trait Loops: Sync {
    /// The bytes of an accumulator.
    fn size(&self) -> usize;

    /// Writes accumulators of no elements.
    unsafe fn start(&self, all: *mut u8, count: usize);

    /// Writes the accumulator of neighbours, at most of [`GROUPS`], the first of which has this index.
    unsafe fn fold_run(&self, values: *const u8, count: usize, index: usize, one: *mut u8);

    /// Folds rows of neighbours into as many accumulators; the first row has this index.
    unsafe fn fold_rows(&self, rows: &[*const u8], width: usize, index: usize, all: *mut u8);

    /// Writes the accumulators of `sizes[0] * sizes[2]` outputs, each of `sizes[1]` elements, which
    /// lie in row-major order.
    unsafe fn fold_few(&self, values: *const u8, sizes: [usize; 3], all: *mut u8);

    /// Adds later accumulators to earlier ones.
    unsafe fn combine(&self, earlier: *mut u8, later: *const u8, count: usize);
}

/// The loops of a reducer.
pub(super) struct LoopsOf<'a, T, A, R> {
    reducer: &'a R,
    types: PhantomData<fn(T) -> A>,
}

impl<'a, T: Element, A: Copy, R: Reducer<T, A>> LoopsOf<'a, T, A, R> {
    pub(super) fn new(reducer: &'a R) -> Self {
        const { assert!(align_of::<A>() <= align_of::<u128>(), "accumulators are aligned to 16 bytes") };
        LoopsOf { reducer, types: PhantomData }
    }
}

impl<T: Element, A: Copy, R: Reducer<T, A>> Loops for LoopsOf<'_, T, A, R> {
    fn size(&self) -> usize {
        size_of::<A>()
    }

    unsafe fn start(&self, all: *mut u8, count: usize) {
        let all: *mut A = all.cast();
        for k in 0..count {
            // SAFETY: there is room for so many.
            unsafe { all.add(k).write(self.reducer.start()) };
        }
    }

    unsafe fn fold_run(&self, values: *const u8, count: usize, index: usize, one: *mut u8) {
        // SAFETY: as the trait says.
        let values: &[T::Stored] = unsafe { row(values, count) };
        let all = match values.len() <= GROUP {
            true => fold_group::<T, A, R>(self.reducer, values, index),
            false => fold_groups::<T, A, R>(self.reducer, values, index),
        };
        // SAFETY: as the trait says.
        unsafe { one.cast::<A>().write(all) };
    }

    unsafe fn fold_rows(&self, rows: &[*const u8], width: usize, index: usize, all: *mut u8) {
        // SAFETY: as the trait says.
        let all = unsafe { std::slice::from_raw_parts_mut(all.cast::<A>(), width) };
        let (fours, rest) = rows.as_chunks::<4>();
        // SAFETY: as the trait says.
        let of_fours = unsafe { Fours::new(fours, width) };
        fold_fours::<T, A, R>(self.reducer, of_fours, index, all);
        for (index, &first) in (index + 4 * fours.len()..).zip(rest) {
            // SAFETY: as the trait says.
            let values: &[T::Stored] = unsafe { row(first, width) };
            for (one, &value) in all.iter_mut().zip(values) {
                *one = self.reducer.fold(*one, T::from_stored(value), index);
            }
        }
    }

    unsafe fn fold_few(&self, values: *const u8, sizes: [usize; 3], all: *mut u8) {
        let [outer, depth, inner] = sizes;
        let (mut row, mut all): (*const T::Stored, *mut A) = (values.cast(), all.cast());
        for _ in 0..outer {
            for column in 0..inner {
                let mut one = self.reducer.start();
                let mut place = row.wrapping_add(column);
                for index in 0..depth {
                    // SAFETY: the three sizes are those of the elements, which are as the trait says.
                    one = self.reducer.fold(one, T::from_stored(unsafe { place.read() }), index);
                    place = place.wrapping_add(inner);
                }
                // SAFETY: there is room for as many accumulators as outputs.
                unsafe { all.write(one) };
                all = all.wrapping_add(1);
            }
            row = row.wrapping_add(depth * inner);
        }
    }

    unsafe fn combine(&self, earlier: *mut u8, later: *const u8, count: usize) {
        let (earlier, later): (*mut A, *const A) = (earlier.cast(), later.cast());
        for k in 0..count {
            // SAFETY: both have so many accumulators.
            unsafe {
                let joined = self.reducer.combine(earlier.add(k).read(), later.add(k).read());
                earlier.add(k).write(joined);
            }
        }
    }
}

/// The elements of a row.
///
/// # Safety
///
/// There are so many, initialised and of this type, for as long as the loop runs.
#[inline(always)]
unsafe fn row<'a, S>(first: *const u8, width: usize) -> &'a [S] {
    // SAFETY: as above.
    unsafe { std::slice::from_raw_parts(first.cast(), width) }
}

/// The accumulator of neighbours that are more than a group.
fn fold_groups<T: Element, A: Copy, R: Reducer<T, A>>(
    reducer: &R,
    values: &[T::Stored],
    index: usize,
) -> A {
    let mut pairs = [reducer.start(); GROUPS / 2];
    let mut first = index;
    for (pair, values) in pairs.iter_mut().zip(values.chunks(2 * GROUP)) {
        let (one, other) = values.split_at(GROUP.min(values.len()));
        *pair = fold_group::<T, A, R>(reducer, one, first);
        if !other.is_empty() {
            let other = fold_group::<T, A, R>(reducer, other, first + GROUP);
            *pair = reducer.combine(*pair, other);
        }
        first += 2 * GROUP;
    }
    match values.len() <= 2 * GROUP {
        true => pairs[0],
        false => reducer.combine(pairs[0], pairs[1]),
    }
}

/// The accumulator of a group of neighbours.
fn fold_group<T: Element, A: Copy, R: Reducer<T, A>>(
    reducer: &R,
    values: &[T::Stored],
    index: usize,
) -> A {
    if values.len() < WORTH_LANES {
        let mut all = reducer.start();
        for (at, &value) in values.iter().enumerate() {
            all = reducer.fold(all, T::from_stored(value), index + at);
        }
        return all;
    }
    let mut lanes = [reducer.start(); LANES];
    fold_lanes::<T, A, R>(reducer, values, index, &mut lanes);
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = reducer.combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}

multiversion! {
    /// A function of its own, so that what is done with the lanes afterwards does
    /// not tempt the compiler to hold them in another order than elements have.
    #[inline(never)]
    wide fn fold_lanes<T, A, R>(
        reducer: &R,
        values: &[T::Stored],
        index: usize,
        lanes: &mut [A; LANES],
    )
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let (chunks, rest) = values.as_chunks::<LANES>();
        let (deep, flat) = chunks.as_chunks::<DEPTH>();
        let mut first = index;
        for chunks in deep {
            for (lane, one) in lanes.iter_mut().enumerate() {
                for (row, chunk) in chunks.iter().enumerate() {
                    let value = T::from_stored(chunk[lane]);
                    *one = reducer.fold(*one, value, first + row * LANES + lane);
                }
            }
            first += DEPTH * LANES;
        }
        for chunk in flat {
            for (lane, one) in lanes.iter_mut().enumerate() {
                *one = reducer.fold(*one, T::from_stored(chunk[lane]), first + lane);
            }
            first += LANES;
        }
        for (lane, &value) in rest.iter().enumerate() {
            lanes[lane] = reducer.fold(lanes[lane], T::from_stored(value), first + lane);
        }
    }
}

/// Rows of so many elements each, four by four.
struct Fours<'a, T> {
    rows: &'a [[*const u8; 4]],
    width: usize,
    elements: PhantomData<fn(T)>,
}

impl<'a, T> Fours<'a, T> {
    /// # Safety
    ///
    /// The rows have as many elements, initialised and of this type.
    unsafe fn new(rows: &'a [[*const u8; 4]], width: usize) -> Self {
        Fours { rows, width, elements: PhantomData }
    }
}

multiversion! {
    /// Folds four rows at once, so that accumulators are loaded once for all.
    wide fn fold_fours<T, A, R>(reducer: &R, fours: Fours<'_, T>, index: usize, all: &mut [A])
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let mut index = index;
        let all = &mut all[..fours.width];
        for &[a, b, c, d] in fours.rows {
            // Without bounds, which would leave the last columns to a loop without vectors.
            let (a, b): (*const T::Stored, *const T::Stored) = (a.cast(), b.cast());
            let (c, d): (*const T::Stored, *const T::Stored) = (c.cast(), d.cast());
            for (column, one) in all.iter_mut().enumerate() {
                let mut all = *one;
                // SAFETY: each row has as many elements, as its maker vouched.
                unsafe {
                    all = reducer.fold(all, T::from_stored(a.add(column).read()), index);
                    all = reducer.fold(all, T::from_stored(b.add(column).read()), index + 1);
                    all = reducer.fold(all, T::from_stored(c.add(column).read()), index + 2);
                    *one = reducer.fold(all, T::from_stored(d.add(column).read()), index + 3);
                }
            }
            index += 4;
        }
    }
}
