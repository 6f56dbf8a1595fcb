//! Staging buffers: casts and gathers operands so that an inner loop reads them contiguously.

use std::mem::MaybeUninit;

use super::cast::{CastLoop, fill_loop, move_loop};
use super::plan::{Inner, Ptrs, Run, Strides};

/// The bytes of a block, of which several stay in the nearest cache.
pub(super) const BYTES: usize = 4096;

/// The bytes of a block of one element, which is written once.
const REPEATED: usize = 4 * BYTES;

/// Room for a block, aligned as a line of the cache.
#[repr(align(64))]
pub(super) struct StagingBuffer<const BYTES: usize> {
    _bytes: [u8; BYTES],
}

/// The operands of an inner loop, which wants them dense, of its own dtypes, and outputs apart from
/// inputs, or the first input in the place of the output: what lies otherwise goes through a block of
/// memory.
#[derive(Clone, Copy)]
pub(super) struct Staging<const M: usize> {
    outputs: usize,
    operands: usize,
    /// Whether the loop takes its first input in the place of its output.
    in_place: bool,
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
        Staging { outputs, operands, in_place: false, sizes, casts: [None; M] }
    }

    /// For a loop that takes its first input in the place of its output, if these are of one dtype.
    #[inline]
    pub(super) fn in_place(self, in_place: bool) -> Self {
        Staging { in_place, ..self }
    }

    /// Casts operand `k`.
    pub(super) fn cast(&mut self, k: usize, convert: CastLoop) {
        self.casts[k] = Some(convert);
    }

    /// Whether operand `k` is cast.
    pub(super) fn casts(&self, k: usize) -> bool {
        self.casts[k].is_some()
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
        } else if !self.pass_single(run, inner) {
            self.pass_blocks(run, inner);
        }
    }

    /// Whether a loop whose operands are apart can take all that lie at these distances.
    pub(super) fn takes(&self, strides: &Strides<M>) -> bool {
        let is_dense = |k: usize| strides[k] == self.sizes[k] as isize;
        !self.has_casts() && (0..self.operands).all(is_dense)
    }

    /// Whether the loop can take operand `k` as it lies.
    #[inline(always)]
    fn is_direct(&self, run: &Run<'_, M>, k: usize) -> bool {
        let is_dense = run.strides[k] == self.sizes[k] as isize && self.casts[k].is_none();
        is_dense && (k < self.outputs || self.is_apart(run, k))
    }

    /// Whether input `k` is apart from all outputs, or may be where it is.
    #[inline(always)]
    fn is_apart(&self, run: &Run<'_, M>, k: usize) -> bool {
        match self.outputs {
            1 => run.ptrs[k] != run.ptrs[0] || self.in_place && k == 1,
            outputs => !run.ptrs[..outputs].contains(&run.ptrs[k]),
        }
    }

    /// The same of a run of which one input is a single element, which is repeated, and all else lies
    /// well; says whether it is one.
    #[inline(never)]
    fn pass_single(&self, run: &Run<'_, M>, inner: Inner<'_, M>) -> bool {
        let mut others = (0..self.operands).filter(|&k| !self.is_direct(run, k));
        let (Some(k), None) = (others.next(), others.next()) else { return false };
        if k < self.outputs || run.strides[k] != 0 || self.casts[k].is_some() {
            return false;
        }
        let mut buffer = MaybeUninit::<StagingBuffer<REPEATED>>::uninit();
        let (mut ptrs, mut strides) = (*run.ptrs, *run.strides);
        let length = run.count.min(REPEATED / self.sizes[k]);
        (ptrs[k], strides[k]) = (buffer.as_mut_ptr().cast(), self.sizes[k] as isize);
        // SAFETY: there is one element of this size, and a buffer has room for as many.
        unsafe { fill_loop(self.sizes[k])(ptrs[k], run.ptrs[k], length) };
        let mut done = 0;
        loop {
            let count = length.min(run.count - done);
            let position = run.position + done;
            inner.over(&Run { ptrs: &ptrs, strides: &strides, count, position });
            done += count;
            if done == run.count {
                return true;
            }
            for other in (0..self.operands).filter(|&it| it != k) {
                ptrs[other] = ptrs[other].wrapping_offset(strides[other] * count as isize);
            }
        }
    }

    #[inline(never)]
    fn pass_blocks(&self, run: &Run<'_, M>, inner: Inner<'_, M>) {
        let mut buffers = [const { MaybeUninit::<StagingBuffer<BYTES>>::uninit() }; M];
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
        loop {
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
            done += count;
            if done == run.count {
                return;
            }
            for k in 0..self.operands {
                ptrs[k] = ptrs[k].wrapping_offset(steps[k] * count as isize);
            }
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
