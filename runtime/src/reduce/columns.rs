//! Reduction of outer dimensions: row after row is folded into neighbouring outputs.

use std::ops::Range;

use super::accumulators::Accumulators;
use super::gather::Scratch;
use super::loops::Loops;
use super::rows::offset_of;
use super::source::MOST;
use super::space::{OutputBlock, Space};

/// So many rows go into one group of accumulators.
const GROUP: usize = 64;

/// So many rows are brought together at once.
const AT_ONCE: usize = MOST / Space::WIDTH;

/// Writes the accumulators of a block, of the elements of one chunk.
///
/// # Safety
///
/// The space leads to initialised elements of the loops' type, and there is room for the
/// accumulators of a block.
pub(super) unsafe fn accumulate(
    space: &Space,
    block: &OutputBlock,
    chunk: usize,
    loops: &dyn Loops,
    all: *mut u8,
) {
    let rows = space.chunk(chunk);
    // SAFETY: as above.
    unsafe { loops.start(all, block.width) };
    let mut group = Accumulators::room(loops, block.width);
    if is_compact(space, block, &rows) {
        // SAFETY: as above; the elements of one output after the other lie side by side.
        unsafe {
            loops.fold_few(block.start, [block.width, rows.len(), 1], group.as_mut_ptr());
            return loops.combine(all, group.as_ptr(), block.width);
        }
    }
    for first in rows.clone().step_by(GROUP) {
        let end = rows.end.min(first + GROUP);
        group.start();
        // SAFETY: as above; groups have as many accumulators as the block.
        unsafe {
            fold_group(space, block, first..end, loops, group.as_mut_ptr());
            loops.combine(all, group.as_ptr(), block.width);
        }
    }
}

/// Whether the elements of each output lie side by side, behind those of the one before, and make one
/// group.
fn is_compact(space: &Space, block: &OutputBlock, rows: &Range<usize>) -> bool {
    let [reduced] = space.reduced() else { return false };
    let (gather, depth) = (space.gather(), reduced.size);
    let is_whole = *rows == (0..depth) && depth <= GROUP;
    is_whole && gather.is_dense(reduced.stride) && block.stride == reduced.stride * depth as isize
}

/// Folds rows into accumulators.
///
/// # Safety
///
/// As [`accumulate`], and accumulators were started.
unsafe fn fold_group(
    space: &Space,
    block: &OutputBlock,
    rows: Range<usize>,
    loops: &dyn Loops,
    all: *mut u8,
) {
    let is_dense = space.gather().is_dense(block.stride);
    let mut starts = [std::ptr::null(); AT_ONCE];
    for first in rows.clone().step_by(AT_ONCE) {
        let count = (rows.end - first).min(AT_ONCE);
        let starts = &mut starts[..count];
        for (row, start) in (first..).zip(&mut *starts) {
            *start = block.start.wrapping_offset(offset_of(space.reduced(), row));
        }
        // SAFETY: as above.
        unsafe {
            if is_dense {
                loops.fold_rows(starts, block.width, first, all);
            } else {
                fold_apart(space, block, starts, first, loops, all);
            }
        }
    }
}

/// Brings the elements of each row together, and folds them into accumulators.
///
/// # Safety
///
/// As [`fold_group`].
#[inline(never)]
unsafe fn fold_apart(
    space: &Space,
    block: &OutputBlock,
    starts: &mut [*const u8],
    index: usize,
    loops: &dyn Loops,
    all: *mut u8,
) {
    let mut scratch = Scratch::new();
    let gather = space.gather();
    let mut target = scratch.as_mut_ptr();
    for start in &mut *starts {
        // SAFETY: there is room for as many rows of a block as there are starts.
        unsafe { gather.copy(target, *start, block.stride, block.width) };
        *start = target;
        target = target.wrapping_add(block.width * gather.size());
    }
    // SAFETY: as above.
    unsafe { loops.fold_rows(starts, block.width, index, all) };
}
