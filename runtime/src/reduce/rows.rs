//! One output at a time: its elements come in runs.

use std::ops::Range;

use super::fold::Reducer;
use super::made::Maker;
use super::source::MOST;
use super::space::{Block, Reduced, Space};
use super::tree::Tree;
use crate::iterate::load;
use crate::{Element, multiversion};

/// How many accumulators share a group of elements, so that the processor can
/// work on them side by side.
const LANES: usize = 16;

/// So many elements go into a lane before the next lane has its turn.
const DEPTH: usize = 8;

/// The elements of a group; each lane takes 64.
const GROUP: usize = MOST;

/// Shorter runs go one after the other into the same accumulator.
pub(super) const WORTH_LANES: usize = 32;

/// How many elements of short runs go into one accumulator.
const SHORT: usize = 128;

/// Folds the elements of one chunk.
///
/// # Safety
///
/// The space leads to initialised elements of type `T`.
pub(super) unsafe fn accumulate<T: Element, A: Copy>(
    space: &Space,
    block: &Block,
    chunk: usize,
    reducer: &impl Reducer<T, A>,
) -> A {
    let mut tree = Tree::new(|earlier, later| reducer.combine(earlier, later));
    let mut open = reducer.start();
    let mut in_open = 0;
    for_runs(space.reduced(), space.chunk(chunk), |offset, stride, count, index| {
        let first = block.start.wrapping_offset(offset);
        if count >= WORTH_LANES {
            // SAFETY: as above.
            unsafe { fold_run(reducer, &mut tree, first, stride, count, index) };
            return;
        }
        for i in 0..count {
            // SAFETY: as above.
            let value = unsafe { load::<T>(first.wrapping_offset(stride * i as isize)) };
            open = reducer.fold(open, value, index + i);
        }
        in_open += count;
        if in_open >= SHORT {
            tree.push(open);
            (open, in_open) = (reducer.start(), 0);
        }
    });
    if in_open > 0 {
        tree.push(open);
    }
    tree.finish().unwrap_or_else(|| reducer.start())
}

/// Folds elements that are made, all of one chunk, the first of which has this index.
///
/// # Safety
///
/// They are of type `T`.
pub(super) unsafe fn accumulate_made<T: Element, A: Copy>(
    all: Range<usize>,
    index: usize,
    maker: &mut Maker<'_>,
    reducer: &impl Reducer<T, A>,
) -> A {
    let mut elements = |start: usize, count: usize| {
        let first = maker.elements(start, count);
        // SAFETY: so many are there until others are made.
        unsafe { std::slice::from_raw_parts(first.cast::<T::Stored>(), count) }
    };
    if all.len() < WORTH_LANES {
        let values = elements(all.start, all.len()).iter().enumerate();
        let fold = |open, (at, &value)| reducer.fold(open, T::from_stored(value), index + at);
        return values.fold(reducer.start(), fold);
    }
    let mut tree = Tree::new(|earlier, later| reducer.combine(earlier, later));
    for done in (0..all.len()).step_by(GROUP) {
        let length = (all.len() - done).min(GROUP);
        let values = elements(all.start + done, length);
        tree.push(fold_dense::<T, A>(reducer, values, index + done));
    }
    tree.finish().unwrap_or_else(|| reducer.start())
}

/// Calls `f(offset, stride, count, index)` for each run of a range.
#[inline]
fn for_runs(dims: &[Reduced], range: Range<usize>, mut f: impl FnMut(isize, isize, usize, usize)) {
    let Some((innermost, outer)) = dims.split_first() else {
        if !range.is_empty() {
            f(0, 0, 1, 0);
        }
        return;
    };
    let mut index = range.start;
    while index < range.end {
        let (row, column) = (index / innermost.size, index % innermost.size);
        let count = (innermost.size - column).min(range.end - index);
        let offset = offset_of(outer, row) + column as isize * innermost.stride;
        f(offset, innermost.stride, count, index);
        index += count;
    }
}

/// The offset of an element, counted along these dimensions.
#[inline]
pub(super) fn offset_of(dims: &[Reduced], mut index: usize) -> isize {
    let Some((outermost, inner)) = dims.split_last() else { return 0 };
    let mut offset = 0;
    for dim in inner {
        offset += (index % dim.size) as isize * dim.stride;
        index /= dim.size;
    }
    offset + index as isize * outermost.stride
}

/// # Safety
///
/// There are `count` initialised elements of type `T` at this distance.
unsafe fn fold_run<T: Element, A: Copy>(
    reducer: &impl Reducer<T, A>,
    tree: &mut Tree<A, impl Fn(A, A) -> A>,
    first: *const u8,
    stride: isize,
    count: usize,
    index: usize,
) {
    let is_dense = stride == size_of::<T>() as isize;
    let mut done = 0;
    while done < count {
        let length = (count - done).min(GROUP);
        let start = first.wrapping_offset(stride * done as isize);
        let group = if is_dense {
            // SAFETY: as above; dense elements are a slice.
            let values = unsafe { std::slice::from_raw_parts(start.cast::<T::Stored>(), length) };
            fold_dense::<T, A>(reducer, values, index + done)
        } else {
            // SAFETY: as above.
            unsafe { fold_strided(reducer, start, stride, length, index + done) }
        };
        tree.push(group);
        done += length;
    }
}

fn fold_dense<T: Element, A: Copy>(
    reducer: &impl Reducer<T, A>,
    values: &[T::Stored],
    index: usize,
) -> A {
    let mut lanes = [reducer.start(); LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    fold_chunks::<T, A, _>(reducer, chunks, index, &mut lanes);
    let first = index + chunks.len() * LANES;
    for ((lane, one), &value) in lanes.iter_mut().enumerate().zip(rest) {
        *one = reducer.fold(*one, T::from_stored(value), first + lane);
    }
    combine_lanes(reducer, lanes)
}

multiversion! {
    /// A function of its own, so that what is done with the lanes afterwards does
    /// not tempt the compiler to hold them in another order than elements have.
    #[inline(never)]
    wide fn fold_chunks<T, A, R>(
        reducer: &R,
        chunks: &[[T::Stored; LANES]],
        index: usize,
        lanes: &mut [A; LANES],
    )
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let (deep, rest) = chunks.as_chunks::<DEPTH>();
        for (row, chunks) in deep.iter().enumerate() {
            let first = index + row * DEPTH * LANES;
            for (lane, one) in lanes.iter_mut().enumerate() {
                for (row, chunk) in chunks.iter().enumerate() {
                    let value = T::from_stored(chunk[lane]);
                    *one = reducer.fold(*one, value, first + row * LANES + lane);
                }
            }
        }
        let index = index + deep.len() * DEPTH * LANES;
        for (row, chunk) in rest.iter().enumerate() {
            let first = index + row * LANES;
            for ((lane, one), &value) in lanes.iter_mut().enumerate().zip(chunk) {
                *one = reducer.fold(*one, T::from_stored(value), first + lane);
            }
        }
    }
}

/// # Safety
///
/// There are `count` initialised elements of type `T` at this distance.
unsafe fn fold_strided<T: Element, A: Copy>(
    reducer: &impl Reducer<T, A>,
    first: *const u8,
    stride: isize,
    count: usize,
    index: usize,
) -> A {
    let mut lanes = [reducer.start(); LANES];
    for i in 0..count {
        // SAFETY: as above.
        let value = unsafe { load::<T>(first.wrapping_offset(stride * i as isize)) };
        // Four lanes are enough where each element is fetched on its own.
        lanes[i % 4] = reducer.fold(lanes[i % 4], value, index + i);
    }
    combine_lanes(reducer, lanes)
}

#[inline]
fn combine_lanes<T, A: Copy>(reducer: &impl Reducer<T, A>, mut lanes: [A; LANES]) -> A {
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = reducer.combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    lanes[0]
}
