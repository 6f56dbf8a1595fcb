//! Neighbouring outputs together: row after row is folded into all of them.

use super::fold::Reducer;
use super::rows::offset_of;
use super::space::{Block, Space};
use crate::iterate::load;
use crate::{Element, multiversion};

/// So many rows go into one group of accumulators.
const GROUP: usize = 64;

/// Folds the elements of one chunk into the accumulators of a block.
///
/// # Safety
///
/// The space leads to initialised elements of type `T`.
pub(super) unsafe fn accumulate<T: Element, A: Copy>(
    space: &Space,
    block: &Block,
    chunk: usize,
    reducer: &impl Reducer<T, A>,
    all: &mut [A; Space::WIDTH],
) {
    let rows = space.chunk(chunk);
    let start_of = |row| block.start.wrapping_offset(offset_of(space.reduced(), row));
    let is_dense = block.stride == size_of::<T>() as isize;
    let mut first = rows.start;
    while first < rows.end {
        let end = rows.end.min(first + GROUP);
        let mut group = [reducer.start(); Space::WIDTH];
        let mut row = first;
        while is_dense && row + 4 <= end {
            let starts = [row, row + 1, row + 2, row + 3].map(start_of);
            // SAFETY: as above.
            unsafe { fold_four_rows(reducer, block.width, starts, row, &mut group) };
            row += 4;
        }
        while row < end {
            // SAFETY: as above.
            unsafe { fold_row(reducer, block, start_of(row), row, &mut group) };
            row += 1;
        }
        for (a, &b) in all.iter_mut().zip(&group).take(block.width) {
            *a = reducer.combine(*a, b);
        }
        first = end;
    }
}

/// # Safety
///
/// At each start there are `width` initialised elements of type `T`, one after
/// the other.
#[inline]
unsafe fn fold_four_rows<T: Element, A: Copy>(
    reducer: &impl Reducer<T, A>,
    width: usize,
    starts: [*const u8; 4],
    row: usize,
    group: &mut [A; Space::WIDTH],
) {
    // SAFETY: as above.
    let rows =
        starts.map(|it| unsafe { std::slice::from_raw_parts(it.cast::<T::Stored>(), width) });
    fold_rows::<T, A, _>(reducer, rows, row, group);
}

multiversion! {
    /// Folds four rows at once, so that accumulators are loaded once for all.
    wide fn fold_rows<T, A, R>(
        reducer: &R,
        rows: [&[T::Stored]; 4],
        row: usize,
        group: &mut [A; Space::WIDTH],
    )
    where
        [T: Element, A: Copy, R: Reducer<T, A>]
    {
        let [a, b, c, d] = rows;
        let rows = a.iter().zip(b).zip(c).zip(d);
        for (one, (((&a, &b), &c), &d)) in group.iter_mut().zip(rows) {
            let [a, b, c, d] = [a, b, c, d].map(T::from_stored);
            let two = reducer.fold(reducer.fold(*one, a, row), b, row + 1);
            *one = reducer.fold(reducer.fold(two, c, row + 2), d, row + 3);
        }
    }
}

/// # Safety
///
/// There is an initialised element of type `T` for each column of the block.
#[inline]
unsafe fn fold_row<T: Element, A: Copy>(
    reducer: &impl Reducer<T, A>,
    block: &Block,
    start: *const u8,
    row: usize,
    group: &mut [A; Space::WIDTH],
) {
    if block.stride == size_of::<T>() as isize {
        // SAFETY: as above; dense elements are a slice.
        let values = unsafe { std::slice::from_raw_parts(start.cast::<T::Stored>(), block.width) };
        for (one, &value) in group.iter_mut().zip(values) {
            *one = reducer.fold(*one, T::from_stored(value), row);
        }
        return;
    }
    for (column, one) in group.iter_mut().enumerate().take(block.width) {
        let at = start.wrapping_offset(block.stride * column as isize);
        // SAFETY: as above.
        *one = reducer.fold(*one, unsafe { load::<T>(at) }, row);
    }
}
