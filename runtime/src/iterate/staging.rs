//! Brings side by side what an inner loop reads and writes.

use std::mem::MaybeUninit;

use super::cast::{CastLoop, fill_loop, move_loop};
use super::plan::{Inner, Ptrs, Run, Strides};

/// The bytes of a block, which stays in the nearest cache.
const BYTES: usize = 4096;

/// Room for a block, aligned as a line of the cache.
#[repr(align(64))]
struct Buffer {
    _bytes: [u8; BYTES],
}

/// The operands of an inner loop, which wants them dense, of its own dtypes, and outputs apart from
/// inputs: what lies otherwise goes through a block of memory.
#[derive(Clone, Copy)]
pub(super) struct Staging<const M: usize> {
    outputs: usize,
    operands: usize,
    /// The bytes of an element of each operand, as the loop sees it.
    sizes: [usize; M],
    /// How the elements of an operand of another dtype become those that the loop sees, or the other
    /// way round.
    casts: [Option<CastLoop>; M],
}

impl<const M: usize> Staging<M> {
    /// Of so many outputs, and operands with elements of these sizes.
    #[inline]
    pub(super) fn new(outputs: usize, operands: usize, sizes: [usize; M]) -> Self {
        Staging { outputs, operands, sizes, casts: [None; M] }
    }

    /// Casts operand `k`.
    pub(super) fn cast(&mut self, k: usize, convert: CastLoop) {
        self.casts[k] = Some(convert);
    }

    #[inline]
    pub(super) fn has_casts(&self) -> bool {
        self.casts.iter().any(Option::is_some)
    }

    /// Hands a run to a loop.
    #[inline]
    pub(super) fn pass(&self, run: &Run<'_, M>, inner: Inner<'_, M>) {
        if (0..self.operands).all(|k| self.is_direct(run, k)) {
            inner.over(run);
        } else {
            self.pass_blocks(run, inner);
        }
    }

    /// Whether the loop can take operand `k` as it lies.
    #[inline(always)]
    fn is_direct(&self, run: &Run<'_, M>, k: usize) -> bool {
        let is_dense = run.strides[k] == self.sizes[k] as isize && self.casts[k].is_none();
        let is_output = |ptr| run.ptrs[..self.outputs].contains(&ptr);
        is_dense && (k < self.outputs || !is_output(run.ptrs[k]))
    }

    #[inline(never)]
    fn pass_blocks(&self, run: &Run<'_, M>, inner: Inner<'_, M>) {
        let mut buffers = [const { MaybeUninit::<Buffer>::uninit() }; M];
        let buffers: Ptrs<M> = buffers.each_mut().map(|it| it.as_mut_ptr().cast());
        let length = self.length().min(run.count);
        let (mut ptrs, mut strides) = (*run.ptrs, *run.strides);
        // How far the next element of what is taken as it lies is.
        let mut steps: Strides<M> = [0; M];
        let mut is_staged = [false; M];
        for k in 0..self.operands {
            strides[k] = self.sizes[k] as isize;
            if self.is_direct(run, k) {
                steps[k] = strides[k];
                continue;
            }
            ptrs[k] = buffers[k];
            let is_single = run.strides[k] == 0 && k >= self.outputs && self.casts[k].is_none();
            if is_single {
                // SAFETY: there is one element of this size, and a buffer has room for a block.
                unsafe { fill_loop(self.sizes[k])(buffers[k], run.ptrs[k], length) };
            }
            is_staged[k] = !is_single;
        }
        let mut done = 0;
        while done < run.count {
            let count = length.min(run.count - done);
            for k in self.outputs..self.operands {
                if is_staged[k] {
                    let (from, distance) = (place(run, k, done), run.strides[k]);
                    // SAFETY: a buffer has room for a block; the loop is the one for both sides.
                    unsafe { self.loop_of(k)(buffers[k], strides[k], from, distance, count) };
                }
            }
            let position = run.position + done;
            inner.over(&Run { ptrs: &ptrs, strides: &strides, count, position });
            for k in 0..self.outputs {
                if is_staged[k] {
                    let (to, distance) = (place(run, k, done), run.strides[k]);
                    // SAFETY: as above, and the loop has written the whole block.
                    unsafe { self.loop_of(k)(to, distance, buffers[k], strides[k], count) };
                }
            }
            for k in 0..self.operands {
                ptrs[k] = ptrs[k].wrapping_offset(steps[k] * count as isize);
            }
            done += count;
        }
    }

    /// What fills or empties the buffer of operand `k`.
    fn loop_of(&self, k: usize) -> CastLoop {
        self.casts[k].unwrap_or_else(|| move_loop(self.sizes[k]))
    }

    /// So many elements make a block.
    fn length(&self) -> usize {
        let widest = self.sizes[..self.operands].iter().copied().max().unwrap_or(1);
        BYTES / widest.max(1)
    }
}

/// Where an element of operand `k` is.
fn place<const M: usize>(run: &Run<'_, M>, k: usize, at: usize) -> *mut u8 {
    run.ptrs[k].wrapping_offset(run.strides[k] * at as isize)
}
