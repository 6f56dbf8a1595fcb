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

/// So many groups are combined at once, as [`CombineTree`](super::accumulators::Tree) would.
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
pub(super) struct LoopsOf<T, A, R> {
    reducer: R,
    types: PhantomData<fn(T) -> A>,
}

impl<T: Element, A: Copy, R: Reducer<T, A>> LoopsOf<T, A, R> {
    #[inline]
    pub(super) fn new(reducer: R) -> Self {
        const { assert!(align_of::<A>() <= align_of::<u128>(), "accumulators are aligned to 16 bytes") };
        LoopsOf { reducer, types: PhantomData }
    }

    /// Folds so many strips, each behind the one before.
    ///
    /// # Safety
    ///
    /// The elements of all are there, and room for as many accumulators as columns.
    #[inline(always)]
    unsafe fn fold_strips(&self, strip: Strip, count: usize, values: *const u8, all: *mut u8) {
        let (mut values, mut all): (*const T::Stored, *mut A) = (values.cast(), all.cast());
        let (start, mut done) = (self.reducer.start(), 0);
        while done < count {
            // SAFETY: as above.
            unsafe { strip.fold_from(&self.reducer, values, (&raw const start, 0), all) };
            values = values.wrapping_add(strip.depth * strip.width);
            all = all.wrapping_add(strip.width);
            done += 1;
        }
    }

    /// Adds what follows the first group.
    ///
    /// # Safety
    ///
    /// As for `fold_run`, and the accumulator is that of the first group.
    unsafe fn fold_on(&self, values: *const T::Stored, count: usize, index: usize, one: *mut A) {
        let start = self.reducer.start();
        let (mut groups, mut at) = ([start; GROUPS], 1);
        // SAFETY: as above.
        unsafe {
            while at < GROUPS && at * GROUP < count {
                let (first, left) = (at * GROUP, count - at * GROUP);
                let (values, left) = (values.add(first), left.min(GROUP));
                groups[at] = fold_group::<T, A, R>(&self.reducer, values, left, index + first);
                at += 1;
            }
            let [_, second, mut third, fourth] = groups;
            let mut all = self.reducer.combine(one.read(), second);
            if at > 3 {
                third = self.reducer.combine(third, fourth);
            }
            if at > 2 {
                all = self.reducer.combine(all, third);
            }
            one.write(all);
        }
    }
}

impl<T: Element, A: Copy, R: Reducer<T, A>> Loops for LoopsOf<T, A, R> {
    fn size(&self) -> usize {
        size_of::<A>()
    }

    unsafe fn start(&self, all: *mut u8, count: usize) {
        let (all, start): (*mut A, A) = (all.cast(), self.reducer.start());
        let mut k = 0;
        while k < count {
            // SAFETY: there is room for so many.
            unsafe { all.add(k).write(start) };
            k += 1;
        }
    }

    unsafe fn fold_run(&self, values: *const u8, count: usize, index: usize, one: *mut u8) {
        let (one, values) = (one.cast::<A>(), values.cast::<T::Stored>());
        // SAFETY: as the trait says.
        unsafe {
            one.write(fold_group::<T, A, R>(&self.reducer, values, count.min(GROUP), index));
            if count > GROUP {
                self.fold_on(values, count, index, one);
            }
        }
    }

    unsafe fn fold_rows(&self, rows: &[*const u8], width: usize, index: usize, all: *mut u8) {
        // SAFETY: as the trait says.
        unsafe {
            let all = std::slice::from_raw_parts_mut(all.cast::<A>(), width);
            fold_rows::<T, A, R>(&self.reducer, RowPointers::new(rows), index, all);
        }
    }

    unsafe fn fold_few(&self, values: *const u8, sizes: [usize; 3], all: *mut u8) {
        let [outer, depth, inner] = sizes;
        let of = |width, depth| Strip { width, depth, stride: width, index: 0, steps: [1, 0] };
        // SAFETY: as the trait says.
        unsafe {
            // The shortest are unrolled: a loop would cost as much as what it does.
            match (depth, inner) {
                (2, 1) => self.fold_strips(of(1, 2), outer, values, all),
                (3, 1) => self.fold_strips(of(1, 3), outer, values, all),
                (4, 1) => self.fold_strips(of(1, 4), outer, values, all),
                _ => self.fold_strips(of(inner, depth), outer, values, all),
            }
        }
    }

    unsafe fn combine(&self, earlier: *mut u8, later: *const u8, count: usize) {
        let (earlier, later): (*mut A, *const A) = (earlier.cast(), later.cast());
        let mut k = 0;
        while k < count {
            // SAFETY: both have so many accumulators.
            unsafe {
                let joined = self.reducer.combine(earlier.add(k).read(), later.add(k).read());
                earlier.add(k).write(joined);
            }
            k += 1;
        }
    }
}

/// The accumulator of a group of neighbours, the first of which has this index.
///
/// # Safety
///
/// There are so many, initialised.
unsafe fn fold_group<T: Element, A: Copy, R: Reducer<T, A>>(
    reducer: &R,
    values: *const T::Stored,
    count: usize,
    index: usize,
) -> A {
    let start = reducer.start();
    // SAFETY: as above.
    unsafe {
        if count < WORTH_LANES {
            let mut all = start;
            let line = Strip { width: 1, depth: count, stride: 1, index, steps: [1, 0] };
            line.fold(reducer, values, &raw mut all);
            return all;
        }
        let mut lanes = [start; LANES];
        let values = std::slice::from_raw_parts(values, count);
        fold_lanes::<T, A, R>(reducer, values, index, &mut lanes);
        join_lanes::<T, A, R>(reducer, &mut lanes);
        lanes[0]
    }
}

/// Rows of elements at one distance, folded into an accumulator for each column.
#[derive(Clone, Copy)]
struct Strip {
    width: usize,
    depth: usize,
    /// From one row to the next.
    stride: usize,
    /// Of the first element.
    index: usize,
    /// By how much the index grows from row to row, and from column to column.
    steps: [usize; 2],
}

impl Strip {
    /// Folds column after column.
    ///
    /// # Safety
    ///
    /// The elements are there, and as many started accumulators as columns.
    #[inline(always)]
    unsafe fn fold<T: Element, A: Copy, R: Reducer<T, A>>(
        self,
        reducer: &R,
        values: *const T::Stored,
        all: *mut A,
    ) {
        // SAFETY: as above.
        unsafe { self.fold_from(reducer, values, (all, 1), all) };
    }

    /// The same from other accumulators, which are at a distance.
    ///
    /// # Safety
    ///
    /// As [`Strip::fold`], and so are those accumulators.
    #[inline(always)]
    unsafe fn fold_from<T: Element, A: Copy, R: Reducer<T, A>>(
        self,
        reducer: &R,
        values: *const T::Stored,
        (from, distance): (*const A, usize),
        all: *mut A,
    ) {
        let mut column = 0;
        while column < self.width {
            // SAFETY: as above.
            let mut one = unsafe { from.add(column * distance).read() };
            let mut row = 0;
            while row < self.depth {
                // SAFETY: as above.
                let value = unsafe { values.add(row * self.stride + column).read() };
                let index = self.index + row * self.steps[0] + column * self.steps[1];
                one = reducer.fold(one, T::from_stored(value), index);
                row += 1;
            }
            // SAFETY: as above.
            unsafe { all.add(column).write(one) };
            column += 1;
        }
    }
}

/// Leaves what all lanes come to in the first.
#[inline(always)]
fn join_lanes<T, A: Copy, R: Reducer<T, A>>(reducer: &R, lanes: &mut [A; LANES]) {
    let lanes = lanes.as_mut_ptr();
    let mut half = LANES / 2;
    while half > 0 {
        let mut lane = 0;
        while lane < half {
            // SAFETY: there are twice as many lanes.
            unsafe {
                let one = lanes.add(lane);
                one.write(reducer.combine(one.read(), one.add(half).read()));
            }
            lane += 1;
        }
        half /= 2;
    }
}

/// The addresses of rows.
struct RowPointers<'a, T> {
    firsts: &'a [*const u8],
    elements: PhantomData<fn(T)>,
}

impl<'a, T> RowPointers<'a, T> {
    /// # Safety
    ///
    /// Each row has an element for each accumulator, initialised and of this type.
    unsafe fn new(firsts: &'a [*const u8]) -> Self {
        RowPointers { firsts, elements: PhantomData }
    }
}

multiversion! {
    /// A function of its own, so that what is done with the lanes afterwards does
    /// not tempt the compiler to hold them in another order than elements have.
    #[inline(never)]
    avx512 fn fold_lanes<T, A, R>(
        reducer: &R,
        values: &[T::Stored],
        index: usize,
        lanes: &mut [A; LANES],
    )
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let (first, lanes) = (values.as_ptr(), lanes.as_mut_ptr());
        let mut at = 0;
        let strip = |at, width, depth| {
            Strip { width, depth, stride: LANES, index: index + at, steps: [LANES, 1] }
        };
        // SAFETY: so many elements are left.
        unsafe {
            while values.len() - at >= DEPTH * LANES {
                strip(at, LANES, DEPTH).fold(reducer, first.add(at), lanes);
                at += DEPTH * LANES;
            }
            while values.len() - at >= LANES {
                strip(at, LANES, 1).fold(reducer, first.add(at), lanes);
                at += LANES;
            }
            strip(at, values.len() - at, 1).fold(reducer, first.add(at), lanes);
        }
    }

    /// Folds four rows at once, so that accumulators are loaded once for all, and what is left.
    avx512 fn fold_rows<T, A, R>(reducer: &R, rows: RowPointers<'_, T>, index: usize, all: &mut [A])
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let (mut row, count, rows) = (0, rows.firsts.len(), rows.firsts.as_ptr());
        let (width, all) = (all.len(), all.as_mut_ptr());
        // SAFETY: each row has as many elements, as its producer vouched.
        unsafe {
            while count - row >= 4 {
                let index = index + row;
                let [a, b, c, d] = rows.add(row).cast::<[*const T::Stored; 4]>().read();
                let mut column = 0;
                while column < width {
                    let mut one = all.add(column).read();
                    one = reducer.fold(one, T::from_stored(a.add(column).read()), index);
                    one = reducer.fold(one, T::from_stored(b.add(column).read()), index + 1);
                    one = reducer.fold(one, T::from_stored(c.add(column).read()), index + 2);
                    one = reducer.fold(one, T::from_stored(d.add(column).read()), index + 3);
                    all.add(column).write(one);
                    column += 1;
                }
                row += 4;
            }
            while row < count {
                let strip = Strip { width, depth: 1, stride: 0, index: index + row, steps: [0, 0] };
                strip.fold(reducer, rows.add(row).read().cast::<T::Stored>(), all);
                row += 1;
            }
        }
    }
}
