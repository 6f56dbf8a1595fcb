//! Loops that fill a dense output from inputs that are other memory.
//!
//! The output is a parameter of a function of its own: that is how the compiler
//! learns that nothing else refers to it, and it can use vector instructions
//! without looking at addresses first.

use std::mem::MaybeUninit;
use std::slice::from_raw_parts_mut;

use super::plan::Run;
use crate::{Element, multiversion};

/// The elements of a dense output.
///
/// # Safety
///
/// Operand 0 is dense, of type `O`, and nothing else refers to it.
#[inline(always)]
pub(super) unsafe fn target<'a, O, const M: usize>(run: &Run<'_, M>) -> &'a mut [MaybeUninit<O>] {
    // SAFETY: as above.
    unsafe { from_raw_parts_mut(run.ptrs[0].cast(), run.count) }
}

/// An input of a run, from its first element on.
///
/// One that goes on by a distance is better than one that multiplies: the
/// compiler does not look for the case of neighbours again, and unrolls.
pub(super) trait Input<T> {
    /// The next element.
    ///
    /// # Safety
    ///
    /// It is called as often as the run has elements at most.
    unsafe fn next(&mut self) -> T;
}

/// Elements that are neighbours.
pub(super) struct Dense<T: Element>(*const T::Stored);

/// One element for the whole run.
pub(super) struct Single<T>(T);

/// Elements at any distance.
pub(super) struct Strided<T: Element> {
    place: *const T::Stored,
    /// In elements.
    step: isize,
}

/// Every second element, of which the compiler makes vectors.
pub(super) struct Second<T: Element>(*const T::Stored);

impl<T: Element> Dense<T> {
    /// # Safety
    ///
    /// Input `k` is dense, of type `T`, and nobody writes to it.
    #[inline(always)]
    pub(super) unsafe fn new(run: &Run<'_>, k: usize) -> Self {
        Dense(run.ptrs[k].cast_const().cast())
    }
}

impl<T: Element> Second<T> {
    /// # Safety
    ///
    /// The elements of input `k` have another one between them, it is of type `T`, and nobody writes
    /// to it.
    #[inline(always)]
    pub(super) unsafe fn new(run: &Run<'_>, k: usize) -> Self {
        Second(run.ptrs[k].cast_const().cast())
    }
}

impl<T: Element> Single<T> {
    /// # Safety
    ///
    /// Input `k` is of type `T`, and nobody writes to it.
    #[inline(always)]
    pub(super) unsafe fn new(run: &Run<'_>, k: usize) -> Self {
        // SAFETY: as above; a run has one element at least.
        Single(T::from_stored(unsafe { run.ptrs[k].cast::<T::Stored>().read() }))
    }
}

impl<T: Element> Strided<T> {
    /// # Safety
    ///
    /// Input `k` is of type `T`, and nobody writes to it.
    #[inline(always)]
    pub(super) unsafe fn new(run: &Run<'_>, k: usize) -> Self {
        let step = run.strides[k] / size_of::<T::Stored>() as isize;
        Strided { place: run.ptrs[k].cast_const().cast(), step }
    }
}

impl<T: Element> Input<T> for Dense<T> {
    #[inline(always)]
    unsafe fn next(&mut self) -> T {
        // SAFETY: as the caller says.
        let stored = unsafe { self.0.read() };
        self.0 = self.0.wrapping_add(1);
        T::from_stored(stored)
    }
}

impl<T: Element> Input<T> for Second<T> {
    #[inline(always)]
    unsafe fn next(&mut self) -> T {
        // SAFETY: as the caller says.
        let stored = unsafe { self.0.read() };
        self.0 = self.0.wrapping_add(2);
        T::from_stored(stored)
    }
}

impl<T: Copy> Input<T> for Single<T> {
    #[inline(always)]
    unsafe fn next(&mut self) -> T {
        self.0
    }
}

impl<T: Element> Input<T> for Strided<T> {
    #[inline(always)]
    unsafe fn next(&mut self) -> T {
        // SAFETY: as the caller says.
        let stored = unsafe { self.place.read() };
        self.place = self.place.wrapping_offset(self.step);
        T::from_stored(stored)
    }
}

multiversion! {
    /// Writes `f(position + i)`.
    pub(super) wide fn nullary<O, F>(f: &F, position: usize, out: &mut [MaybeUninit<O>])
    where
        [F: Fn(usize) -> O]
    {
        for (i, slot) in out.iter_mut().enumerate() {
            slot.write(f(position + i));
        }
    }
}

multiversion! {
    /// Goes through slots.
    #[inline(always)]
    pub(super) wide fn each<S, F>(slots: &mut [S], f: F)
    where
        [F: FnMut(&mut S)]
    {
        let mut f = f;
        for slot in slots {
            f(slot);
        }
    }
}

/// Writes what `next` gives.
#[inline(always)]
fn fill<O>(out: &mut [MaybeUninit<O>], mut next: impl FnMut() -> O) {
    each(out, move |slot| {
        slot.write(next());
    });
}

/// # Safety
///
/// The input was made for a run with as many elements as the output.
pub(super) unsafe fn unary<A, O>(
    f: &impl Fn(A) -> O,
    out: &mut [MaybeUninit<O>],
    mut a: impl Input<A>,
) {
    // SAFETY: as above.
    fill(out, move || f(unsafe { a.next() }));
}

/// # Safety
///
/// The inputs were made for a run with as many elements as the output.
pub(super) unsafe fn binary<A, B, O>(
    f: &impl Fn(A, B) -> O,
    out: &mut [MaybeUninit<O>],
    mut a: impl Input<A>,
    mut b: impl Input<B>,
) {
    // SAFETY: as above.
    fill(out, move || unsafe { f(a.next(), b.next()) });
}

/// # Safety
///
/// As [`binary`].
pub(super) unsafe fn ternary<A, B, C, O>(
    f: &impl Fn(A, B, C) -> O,
    out: &mut [MaybeUninit<O>],
    mut a: impl Input<A>,
    mut b: impl Input<B>,
    mut c: impl Input<C>,
) {
    // SAFETY: as above.
    fill(out, move || unsafe { f(a.next(), b.next(), c.next()) });
}

/// The same for all other inputs, at the baseline of all processors: an instruction of AVX that reads
/// from the sum of two registers is split, one of SSE is not, and three inputs leave no time for that.
///
/// # Safety
///
/// As [`ternary`].
pub(super) unsafe fn ternary_apart<A, B, C, O>(
    f: &impl Fn(A, B, C) -> O,
    out: &mut [MaybeUninit<O>],
    mut a: impl Input<A>,
    mut b: impl Input<B>,
    mut c: impl Input<C>,
) {
    for slot in out {
        // SAFETY: each input has as many elements as the output.
        slot.write(unsafe { f(a.next(), b.next(), c.next()) });
    }
}
