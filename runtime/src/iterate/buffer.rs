//! Small buffers between operands and a loop that wants other dtypes.

use std::mem::MaybeUninit;

use super::cast::CastLoop;
use super::plan::{Inner, Ptrs, Run, Strides, advance};

/// How many elements are cast at once; they stay in the nearest cache.
const BLOCK: usize = 256;

/// The size and alignment of the largest element.
type Slot = u128;

/// Room for a block, aligned as a line of the cache.
#[repr(align(64))]
struct Buffer {
    _slots: [Slot; BLOCK],
}

/// Which operands a loop sees through a buffer.
#[derive(Clone, Copy)]
pub(super) struct Buffering<const M: usize> {
    outputs: usize,
    operands: usize,
    casts: [Option<Cast>; M],
}

#[derive(Clone, Copy)]
struct Cast {
    convert: CastLoop,
    /// The size of an element as the loop sees it.
    size: usize,
}

impl<const M: usize> Buffering<M> {
    pub(super) fn new(outputs: usize, operands: usize) -> Self {
        Buffering { outputs, operands, casts: [None; M] }
    }

    /// Puts a buffer before operand `k`, filled or emptied by `convert`.
    pub(super) fn set(&mut self, k: usize, convert: CastLoop, size: usize) {
        self.casts[k] = Some(Cast { convert, size });
    }

    /// Hands a run to a loop, block by block.
    pub(super) fn pass(&self, run: &Run<'_, M>, inner: Inner<'_, M>) {
        let mut buffers = [const { MaybeUninit::<Buffer>::uninit() }; M];
        let buffers = buffers.each_mut().map(|it| it.as_mut_ptr().cast::<u8>());
        let mut ptrs = *run.ptrs;
        let mut done = 0;
        while done < run.count {
            let count = (run.count - done).min(BLOCK);
            let block =
                Run { ptrs: &ptrs, strides: run.strides, count, position: run.position + done };
            self.pass_block(&block, &buffers, inner);
            advance(&mut ptrs, run.strides, count as isize);
            done += count;
        }
    }

    fn pass_block(&self, run: &Run<'_, M>, buffers: &Ptrs<M>, inner: Inner<'_, M>) {
        let (mut ptrs, mut strides): (Ptrs<M>, Strides<M>) = (*run.ptrs, *run.strides);
        for k in 0..self.operands {
            let Some(cast) = self.casts[k] else { continue };
            if k >= self.outputs {
                // SAFETY: a buffer has room for a block of the largest elements,
                // and the loop is the one for the dtypes of both sides.
                unsafe {
                    (cast.convert)(buffers[k], cast.size as isize, ptrs[k], strides[k], run.count);
                }
            }
            ptrs[k] = buffers[k];
            strides[k] = cast.size as isize;
        }
        inner(&Run { ptrs: &ptrs, strides: &strides, count: run.count, position: run.position });
        for (k, &buffer) in buffers.iter().enumerate().take(self.outputs) {
            let Some(cast) = self.casts[k] else { continue };
            // SAFETY: as above, and the loop has written the whole block.
            unsafe {
                let (target, stride) = (run.ptrs[k], run.strides[k]);
                (cast.convert)(target, stride, buffer, cast.size as isize, run.count);
            }
        }
    }
}
