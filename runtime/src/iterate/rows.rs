//! Packs rows that are too short for a loop of their own into longer runs.
//!
//! To start a loop costs as much as some tens of elements. Where the innermost dimension has fewer, rows
//! that lie one behind the other are taken as one run, and others are brought into such a run, block by
//! block: also where an operand is stretched over rows or within them.

use std::mem::MaybeUninit;

use super::cast::move_rows;
use super::plan::{Dim, Inner, Plan, Ptrs, Run, Strides, advance};
use super::staging::{BYTES, StagingBuffer};

/// A row of so many elements is worth a loop of its own.
const LONG: usize = 32;

/// Fewer rows are not worth joining.
const FEWEST: usize = 16;

impl<const M: usize> Plan<M> {
    /// Whether the innermost dimension is short, and there are many such rows.
    #[inline]
    pub(super) fn has_short_rows(&self) -> bool {
        matches!(&self.dims[..], [row, rows, ..] if row.size < LONG && rows.size >= FEWEST)
    }

    /// The innermost dimension, and a plan of those around it, whose elements are rows.
    pub(super) fn into_rows(mut self) -> (Dim<M>, Self) {
        let row = self.dims.remove(0);
        self.count /= row.size;
        (row, self)
    }
}

/// How rows become a run.
pub(super) struct RowRuns<const M: usize> {
    row: Dim<M>,
    outputs: usize,
    operands: usize,
    /// The bytes of an element of each operand.
    sizes: [usize; M],
}

impl<const M: usize> RowRuns<M> {
    /// Of operands with elements of these sizes, outputs first.
    pub(super) fn new(row: Dim<M>, outputs: usize, operands: usize, sizes: [usize; M]) -> Self {
        RowRuns { row, outputs, operands, sizes }
    }

    /// Hands a run of rows to a loop as runs of elements that lie side by side in each operand.
    pub(super) fn pass(&self, rows: &Run<'_, M>, inner: Inner<'_, M>) {
        let mut buffers = [const { MaybeUninit::<StagingBuffer<BYTES>>::uninit() }; M];
        let buffers: Ptrs<M> = buffers.each_mut().map(|it| it.as_mut_ptr().cast());
        let is_joined = |k: usize| self.is_joined(rows, k);
        let is_output = |k: usize| k < self.outputs;
        let dense: Strides<M> = self.sizes.map(|it| it as isize);
        let block = self.rows_of_block().min(rows.count);
        let (mut ptrs, mut firsts, mut done) = (*rows.ptrs, *rows.ptrs, 0);
        while done < rows.count {
            let count = block.min(rows.count - done);
            for k in (0..self.operands).filter(|&k| !is_joined(k)) {
                // What is stretched over all rows is in its buffer since the first block.
                if !is_output(k) && (done == 0 || rows.strides[k] != 0) {
                    // SAFETY: there are so many rows, and a buffer has room for a block.
                    unsafe { self.gather(k, buffers[k], firsts[k], rows.strides[k], count) };
                }
                ptrs[k] = buffers[k];
            }
            let position = (rows.position + done) * self.row.size;
            inner.over(&Run {
                ptrs: &ptrs,
                strides: &dense,
                count: count * self.row.size,
                position,
            });
            for k in (0..self.outputs).filter(|&k| !is_joined(k)) {
                // SAFETY: the loop has written the whole block, and there are as many rows.
                unsafe { self.scatter(k, buffers[k], firsts[k], rows.strides[k], count) };
            }
            advance(&mut firsts, rows.strides, count as isize);
            ptrs = firsts;
            done += count;
        }
    }

    /// Whether the rows of an operand lie one behind the other.
    fn is_joined(&self, rows: &Run<'_, M>, k: usize) -> bool {
        let size = self.sizes[k] as isize;
        self.row.strides[k] == size && rows.strides[k] == size * self.row.size as isize
    }

    /// So many rows make a block.
    fn rows_of_block(&self) -> usize {
        let widest = self.sizes[..self.operands].iter().copied().max().unwrap_or(1);
        BYTES / widest.max(1) / self.row.size
    }

    /// Brings rows of operand `k`, which are so far apart, one behind the other.
    ///
    /// # Safety
    ///
    /// There are so many, and there is room for them.
    unsafe fn gather(&self, k: usize, to: *mut u8, from: *mut u8, apart: isize, rows: usize) {
        let (size, length) = (self.sizes[k], self.row.size);
        let dense = [(size * length) as isize, size as isize];
        // SAFETY: as above.
        unsafe { move_rows(size)(to, dense, from, [apart, self.row.strides[k]], [rows, length]) };
    }

    /// The other way round.
    ///
    /// # Safety
    ///
    /// As [`gather`](Self::gather).
    unsafe fn scatter(&self, k: usize, from: *mut u8, to: *mut u8, apart: isize, rows: usize) {
        let (size, length) = (self.sizes[k], self.row.size);
        let dense = [(size * length) as isize, size as isize];
        // SAFETY: as above.
        unsafe { move_rows(size)(to, [apart, self.row.strides[k]], from, dense, [rows, length]) };
    }
}
