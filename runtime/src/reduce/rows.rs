//! Reduction of inner dimensions: one output at a time, whose elements come in runs.

use std::ops::Range;

use super::accumulators::CombineTree;
use super::fused_input::Producer;
use super::gather::Scratch;
use super::loops::{GROUP, GROUPS, Loops};
use super::space::{OutputBlock, ReducedDim, Space};

/// Writes the accumulator of one chunk.
///
/// # Safety
///
/// The space leads to initialised elements of the loops' type, and there is room for an accumulator.
pub(super) unsafe fn accumulate(
    space: &Space,
    block: &OutputBlock,
    chunk: usize,
    loops: &dyn Loops,
    one: *mut u8,
) {
    // SAFETY: as above.
    let fold = |range, one: *mut u8| unsafe { fold_group(space, block, range, loops, one) };
    let is_dense = matches!(space.reduced(), [only] if space.gather().is_dense(only.stride));
    let at_once = if is_dense { GROUPS * GROUP } else { GROUP };
    in_groups(space.chunk(chunk), at_once, loops, one, fold);
}

/// Writes the accumulator of elements that are made, all of one chunk, the first of which has this
/// index.
///
/// # Safety
///
/// They are of the loops' type, and there is room for an accumulator.
pub(super) unsafe fn accumulate_made(
    all: Range<usize>,
    index: usize,
    producer: &mut Producer<'_>,
    loops: &dyn Loops,
    one: *mut u8,
) {
    let first = all.start;
    in_groups(all, GROUP, loops, one, |range, one| {
        let values = producer.elements(range.start, range.len());
        // SAFETY: so many are there until others are made.
        unsafe { loops.fold_run(values, range.len(), index + (range.start - first), one) };
    });
}

/// Folds a range, so many elements at once, and writes what they come to.
#[inline]
fn in_groups(
    range: Range<usize>,
    at_once: usize,
    loops: &dyn Loops,
    one: *mut u8,
    mut fold: impl FnMut(Range<usize>, *mut u8),
) {
    if range.len() <= at_once {
        return fold(range, one);
    }
    let mut tree = CombineTree::new(loops, 1);
    for start in range.clone().step_by(at_once) {
        let end = range.end.min(start + at_once);
        tree.push(|branch| fold(start..end, branch));
    }
    tree.finish(one);
}

/// Writes the accumulator of a group.
///
/// # Safety
///
/// As [`accumulate`].
#[inline]
unsafe fn fold_group(
    space: &Space,
    block: &OutputBlock,
    range: Range<usize>,
    loops: &dyn Loops,
    one: *mut u8,
) {
    let (index, count) = (range.start, range.len());
    // SAFETY: as above.
    unsafe {
        match space.reduced() {
            [] if !space.gather().casts() => loops.fold_run(block.start, count, index, one),
            [only] if space.gather().is_dense(only.stride) => {
                let first = block.start.wrapping_offset(only.stride * index as isize);
                loops.fold_run(first, count, index, one);
            }
            _ => fold_apart(space, block, range, loops, one),
        }
    }
}

/// Brings the elements of a group together, and writes their accumulator.
///
/// # Safety
///
/// As [`accumulate`].
#[inline(never)]
unsafe fn fold_apart(
    space: &Space,
    block: &OutputBlock,
    range: Range<usize>,
    loops: &dyn Loops,
    one: *mut u8,
) {
    let mut scratch = Scratch::new();
    let gather = space.gather();
    let mut target = scratch.as_mut_ptr();
    let (index, total) = (range.start, range.len());
    for_runs(space.reduced(), range, |offset, stride, count| {
        // SAFETY: the runs of a group have as many elements as there is room for.
        unsafe { gather.copy(target, block.start.wrapping_offset(offset), stride, count) };
        target = target.wrapping_add(count * gather.size());
    });
    // SAFETY: so many elements were copied.
    unsafe { loops.fold_run(scratch.as_mut_ptr(), total, index, one) };
}

/// Calls `f(offset, stride, count)` for each run of a range; without dimensions there is one element.
fn for_runs(dims: &[ReducedDim], range: Range<usize>, mut f: impl FnMut(isize, isize, usize)) {
    let Some((innermost, outer)) = dims.split_first() else { return f(0, 0, range.len()) };
    let mut index = range.start;
    while index < range.end {
        let (row, column) = (index / innermost.size, index % innermost.size);
        let count = (innermost.size - column).min(range.end - index);
        let offset = offset_of(outer, row) + column as isize * innermost.stride;
        f(offset, innermost.stride, count);
        index += count;
    }
}

/// The offset of an element, counted along these dimensions.
#[inline]
pub(super) fn offset_of(dims: &[ReducedDim], mut index: usize) -> isize {
    let Some((outermost, inner)) = dims.split_last() else { return 0 };
    let mut offset = 0;
    for dim in inner {
        offset += (index % dim.size) as isize * dim.stride;
        index /= dim.size;
    }
    offset + index as isize * outermost.stride
}
