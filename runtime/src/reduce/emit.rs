//! The final step of a reduction: from accumulators to results.

use std::marker::PhantomData;

/// Writes results: compiled anew for each way to finish.
pub(super) trait Emit: Sync {
    /// Writes the results of so many accumulators: to the first elements of the outputs, and to others
    /// at these distances in bytes.
    ///
    /// # Safety
    ///
    /// The accumulators are there, and outputs have these elements, of its types, for nobody else; the
    /// second one is null if there is none.
    unsafe fn emit(&self, all: *const u8, count: usize, outs: [*mut u8; 2], strides: [isize; 2]);
}

/// What gives one result.
pub(super) struct One<A, O, D> {
    finish: D,
    types: PhantomData<fn(A) -> O>,
}

impl<A, O, D> One<A, O, D> {
    #[inline]
    pub(super) fn new(finish: D) -> Self {
        One { finish, types: PhantomData }
    }
}

impl<A: Copy, O, D: Fn(A) -> O + Sync> Emit for One<A, O, D> {
    unsafe fn emit(&self, all: *const u8, count: usize, outs: [*mut u8; 2], strides: [isize; 2]) {
        let (mut to, all, mut k) = (outs[0], all.cast::<A>(), 0);
        while k < count {
            // SAFETY: as the trait says.
            unsafe { to.cast::<O>().write((self.finish)(all.add(k).read())) };
            to = to.wrapping_offset(strides[0]);
            k += 1;
        }
    }
}

/// What gives two results, the second of which may have no place.
pub(super) struct PairResult<A, O, P, D> {
    finish: D,
    types: PhantomData<fn(A) -> (O, P)>,
}

impl<A, O, P, D> PairResult<A, O, P, D> {
    #[inline]
    pub(super) fn new(finish: D) -> Self {
        PairResult { finish, types: PhantomData }
    }
}

impl<A: Copy, O, P, D: Fn(A) -> (O, P) + Sync> Emit for PairResult<A, O, P, D> {
    unsafe fn emit(&self, all: *const u8, count: usize, outs: [*mut u8; 2], strides: [isize; 2]) {
        let ([mut to_one, mut to_other], all, mut k) = (outs, all.cast::<A>(), 0);
        let has_other = !to_other.is_null();
        while k < count {
            // SAFETY: as the trait says.
            unsafe {
                let (one, other) = (self.finish)(all.add(k).read());
                to_one.cast::<O>().write(one);
                if has_other {
                    to_other.cast::<P>().write(other);
                }
            }
            to_one = to_one.wrapping_offset(strides[0]);
            to_other = to_other.wrapping_offset(strides[1]);
            k += 1;
        }
    }
}
