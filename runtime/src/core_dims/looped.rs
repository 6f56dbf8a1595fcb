//! The loop over the loop dimensions, shared by all signatures and dtypes.
//!
//! Kernels are called for runs of indices along the last loop dimension, whose core elements are
//! copied together: a core of a few elements is soon done, and one copy of many of them is quicker
//! than many of one.

use std::ops::Range;

use smallvec::SmallVec;

use super::call::{CoreInput, CoreOutput};
use super::operand::CoreOperand;
use crate::geometry::{Dims, element_count};
use crate::parallel::try_share;
use crate::{DType, Result, buffer};

/// What a call costs beside its elements, in elements. How long a kernel takes with them is unknown: a
/// few tens of calls are enough for some to be timed, and the rest to be shared.
const CALL: usize = 512;

/// How many bytes the core elements of a run may take: they stay in the first cache.
const RUN_BYTES: usize = 16 << 10;

/// The operands of a call, and the dimensions over which they are looped.
pub(super) struct CoreLoop<'a> {
    /// Inputs, and then outputs.
    all: &'a [CoreOperand],
    inputs: usize,
    looped: Dims,
    count: usize,
}

/// Indices one after the other, and where copies of their core elements are.
pub(super) struct CoreRun<'a> {
    all: &'a [CoreOperand],
    starts: &'a [*mut u8],
    pub(super) count: usize,
}

/// The copies of an operand for a run.
#[derive(Clone, Copy)]
pub(super) struct CoreCopies<'a> {
    start: *mut u8,
    /// From an index to the next, in bytes: none if all see the same elements.
    step: usize,
    dtype: DType,
    shape: &'a [usize],
}

impl<'a> CoreRun<'a> {
    #[inline]
    pub(super) fn operand(&self, at: usize) -> CoreCopies<'a> {
        let operand = &self.all[at];
        CoreCopies {
            start: self.starts[at],
            step: operand.step(),
            dtype: operand.dtype,
            shape: &operand.shape,
        }
    }
}

impl<'a> CoreCopies<'a> {
    /// # Safety
    ///
    /// As [`CoreInput::new`], for an index of the run.
    #[inline]
    pub(super) unsafe fn input(self, index: usize) -> CoreInput<'a> {
        // SAFETY: the caller's.
        unsafe { CoreInput::new(self.at(index), self.dtype, self.shape) }
    }

    /// # Safety
    ///
    /// As [`CoreOutput::new`], for an index of the run.
    #[inline]
    pub(super) unsafe fn output(self, index: usize) -> CoreOutput<'a> {
        // SAFETY: the caller's.
        unsafe { CoreOutput::new(self.at(index), self.dtype, self.shape) }
    }

    #[inline]
    fn at(self, index: usize) -> *mut u8 {
        self.start.wrapping_add(index * self.step)
    }
}

impl<'a> CoreLoop<'a> {
    /// # Errors
    ///
    /// `Runtime` if there are more indices than can be counted.
    pub(super) fn new(
        all: &'a mut [CoreOperand],
        inputs: usize,
        mut looped: Dims,
    ) -> Result<CoreLoop<'a>> {
        let count = element_count(&looped)?;
        merge(all, &mut looped);
        Ok(CoreLoop { all, inputs, looped, count })
    }

    /// Calls a kernel for all indices, in parallel.
    ///
    /// # Errors
    ///
    /// What it reports; `Memory` if there is not enough.
    pub(super) fn run(&self, call: &(dyn Fn(CoreRun<'_>) -> Result<()> + Sync)) -> Result<()> {
        let elements = self.all.iter().map(|it| it.bytes / it.dtype.size());
        let weight = elements.fold(CALL, usize::saturating_add);
        try_share(self.count, weight, &|range| self.part(range, call))
    }

    /// The indices of a range, one run after the other.
    fn part(
        &self,
        range: Range<usize>,
        call: &(dyn Fn(CoreRun<'_>) -> Result<()> + Sync),
    ) -> Result<()> {
        let longest = self.longest_run().min(range.len());
        let bytes = self.all.iter().map(|it| it.bytes.max(it.step().saturating_mul(longest)));
        let words = bytes.map(|it| it.div_ceil(size_of::<u128>()));
        let mut scratch = buffer::filled(words.clone().sum(), 0_u128)?;
        let mut starts = SmallVec::<[*mut u8; 4]>::new();
        let mut next = scratch.as_mut_ptr();
        for words in words {
            starts.push(next.cast());
            next = next.wrapping_add(words);
        }
        let (inputs, outputs) = self.all.split_at(self.inputs);
        let mut place = LoopPlace::new(self, range.start);
        let mut copied = SmallVec::<[Option<i64>; 4]>::from_elem(None, inputs.len());
        let mut rest = range.len();
        while rest > 0 {
            let count = place.left().min(longest).min(rest);
            for (at, input) in inputs.iter().enumerate() {
                let offset = place.offsets[at];
                if input.step() != 0 || copied[at] != Some(offset) {
                    // SAFETY: the offsets are of these indices, and the room was made for them.
                    unsafe { input.read(offset, count, starts[at]) };
                    copied[at] = Some(offset);
                }
            }
            for (output, start) in outputs.iter().zip(&starts[self.inputs..]) {
                // SAFETY: the room was made for so many bytes, all of which may be zero.
                unsafe { start.write_bytes(0, output.bytes * count) };
            }
            call(CoreRun { all: self.all, starts: &starts, count })?;
            for (at, output) in (self.inputs..).zip(outputs) {
                // SAFETY: as above; no other index leads to these elements.
                unsafe { output.write(place.offsets[at], count, starts[at]) };
            }
            place.advance(count);
            rest -= count;
        }
        Ok(())
    }

    fn longest_run(&self) -> usize {
        let bytes = self.all.iter().map(CoreOperand::step).fold(1, usize::saturating_add);
        (RUN_BYTES / bytes).max(1)
    }
}

/// Loop dimensions that all operands step through as through one become one, so that runs are long.
fn merge(all: &mut [CoreOperand], looped: &mut Dims) {
    for dim in (0..looped.len()).rev() {
        let size = looped[dim];
        if size == 1 {
            looped.remove(dim);
            all.iter_mut().for_each(|it| it.drop_loop_dim(dim));
        } else if dim + 1 < looped.len() {
            let inner = looped[dim + 1];
            if all.iter().all(|it| it.steps_through(dim, inner)) {
                looped[dim + 1] = inner.saturating_mul(size);
                looped.remove(dim);
                all.iter_mut().for_each(|it| it.drop_loop_dim(dim));
            }
        }
    }
}

/// An index of the loop dimensions, and the offsets of all operands there, in bytes.
struct LoopPlace<'a> {
    looped: &'a [i64],
    all: &'a [CoreOperand],
    index: Dims,
    offsets: SmallVec<[i64; 4]>,
}

impl<'a> LoopPlace<'a> {
    fn new(of: &'a CoreLoop<'_>, position: usize) -> LoopPlace<'a> {
        let mut index: Dims = of.looped.iter().map(|_| 0).collect();
        let mut rest = position as i64;
        for (slot, &size) in index.iter_mut().zip(&of.looped).rev() {
            *slot = rest % size;
            rest /= size;
        }
        LoopPlace {
            looped: &of.looped,
            all: of.all,
            offsets: of.all.iter().map(|it| it.offset(&index)).collect(),
            index,
        }
    }

    /// How many indices there are from here on in the last loop dimension.
    fn left(&self) -> usize {
        let ends = self.looped.last().zip(self.index.last());
        ends.map_or(1, |(size, index)| (size - index) as usize)
    }

    /// Goes so many indices on, no more than are [left](LoopPlace::left).
    fn advance(&mut self, count: usize) {
        let mut steps = count as i64;
        for dim in (0..self.looped.len()).rev() {
            let size = self.looped[dim];
            self.index[dim] += steps;
            let is_end = self.index[dim] == size;
            let moved = if is_end { steps - size } else { steps };
            for (offset, operand) in self.offsets.iter_mut().zip(self.all) {
                *offset += operand.loop_strides[dim] * moved;
            }
            if !is_end {
                return;
            }
            self.index[dim] = 0;
            steps = 1;
        }
    }
}
