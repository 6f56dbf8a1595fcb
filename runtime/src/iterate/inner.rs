//! The innermost loops: all that is compiled anew for each function.
//!
//! Each is there once, for operands that are dense and outputs that are other memory than inputs;
//! [`Staging`](super::staging::Staging) brings others into this form. Slices are parameters of
//! functions of their own: that is how the compiler learns that nothing else refers to them, and it
//! can use vector instructions without looking at addresses first.

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use super::plan::Run;
use crate::{DType, Element, multiversion};

/// Places for the elements of output `k`.
///
/// # Safety
///
/// Operand `k` is dense, of type `O`, and nothing else refers to it.
#[inline(always)]
pub(super) unsafe fn target<'a, O, const M: usize>(
    run: &Run<'_, M>,
    k: usize,
) -> &'a mut [MaybeUninit<O>] {
    // SAFETY: as above.
    unsafe { from_raw_parts_mut(run.ptrs[k].cast(), run.count) }
}

/// The elements of input `k`.
///
/// # Safety
///
/// Operand `k` is dense, of type `A`, initialised, and nobody writes to it.
#[inline(always)]
pub(super) unsafe fn source<'a, A: Element, const M: usize>(
    run: &Run<'_, M>,
    k: usize,
) -> &'a [A::Stored] {
    // SAFETY: as above.
    unsafe { from_raw_parts(run.ptrs[k].cast_const().cast(), run.count) }
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
    /// Writes `f(a)`.
    pub(super) wide fn unary<A, O, F>(f: &F, out: &mut [MaybeUninit<O>], a: &[A::Stored])
    where
        [A: Element, F: Fn(A) -> O]
    {
        for (slot, &a) in out.iter_mut().zip(a) {
            slot.write(f(A::from_stored(a)));
        }
    }
}

multiversion! {
    /// Writes `f(a, b)`.
    pub(super) wide fn binary<A, B, O, F>(
        f: &F,
        out: &mut [MaybeUninit<O>],
        a: &[A::Stored],
        b: &[B::Stored],
    )
    where
        [A: Element, B: Element, F: Fn(A, B) -> O]
    {
        for ((slot, &a), &b) in out.iter_mut().zip(a).zip(b) {
            slot.write(f(A::from_stored(a), B::from_stored(b)));
        }
    }
}

multiversion! {
    /// Writes `f(a, b, c)`.
    pub(super) wide fn ternary<A, B, C, O, F>(
        f: &F,
        out: &mut [MaybeUninit<O>],
        a: &[A::Stored],
        b: &[B::Stored],
        c: &[C::Stored],
    )
    where
        [A: Element, B: Element, C: Element, F: Fn(A, B, C) -> O]
    {
        for (((slot, &a), &b), &c) in out.iter_mut().zip(a).zip(b).zip(c) {
            slot.write(f(A::from_stored(a), B::from_stored(b), C::from_stored(c)));
        }
    }
}

/// Writes both results of `f(a)`.
#[inline]
pub(super) fn unary_pair<A: Element, O, P>(
    f: &impl Fn(A) -> (O, P),
    out: (&mut [MaybeUninit<O>], &mut [MaybeUninit<P>]),
    a: &[A::Stored],
) {
    for ((first, second), &a) in out.0.iter_mut().zip(out.1).zip(a) {
        let (one, other) = f(A::from_stored(a));
        first.write(one);
        second.write(other);
    }
}

/// Writes both results of `f(a, b)`.
#[inline]
pub(super) fn binary_pair<A: Element, B: Element, O, P>(
    f: &impl Fn(A, B) -> (O, P),
    out: (&mut [MaybeUninit<O>], &mut [MaybeUninit<P>]),
    a: &[A::Stored],
    b: &[B::Stored],
) {
    for (((first, second), &a), &b) in out.0.iter_mut().zip(out.1).zip(a).zip(b) {
        let (one, other) = f(A::from_stored(a), B::from_stored(b));
        first.write(one);
        second.write(other);
    }
}

/// The most elements that a function of blocks gets.
const BLOCK: usize = 512;

/// Writes the elements of a block as the function changes them.
///
/// # Safety
///
/// The run has one dense output and one dense input, of type `A`, apart from each other.
pub(super) unsafe fn unary_blocks<A: Element>(f: &impl Fn(&mut [A]), run: &Run<'_>) {
    // SAFETY: as above.
    let (out, all) = unsafe { (target::<A, _>(run, 0), source::<A, _>(run, 1)) };
    for (out, all) in out.chunks_mut(BLOCK).zip(all.chunks(BLOCK)) {
        f(copied::<A>(out, all));
    }
}

/// The same, and the function also gets as many elements of another input.
///
/// # Safety
///
/// The run has one dense output and two dense inputs, of type `A`, which is not `bool`; the output is
/// apart from the inputs.
pub(super) unsafe fn binary_blocks<A: Element>(f: &impl Fn(&mut [A], &[A]), run: &Run<'_>) {
    const { assert!(A::DTYPE as u8 != DType::Bool as u8, "blocks of `bool` are not supported") };
    // SAFETY: as above; all bytes of numbers are numbers.
    let others = unsafe { from_raw_parts(run.ptrs[2].cast_const().cast::<A>(), run.count) };
    // SAFETY: as above.
    let (out, all) = unsafe { (target::<A, _>(run, 0), source::<A, _>(run, 1)) };
    let blocks = out.chunks_mut(BLOCK).zip(all.chunks(BLOCK)).zip(others.chunks(BLOCK));
    for ((out, all), others) in blocks {
        f(copied::<A>(out, all), others);
    }
}

/// The elements, copied to as many places.
fn copied<'a, A: Element>(out: &'a mut [MaybeUninit<A>], all: &[A::Stored]) -> &'a mut [A] {
    for (place, &stored) in out.iter_mut().zip(all) {
        place.write(A::from_stored(stored));
    }
    // SAFETY: each place was written.
    unsafe { out.assume_init_mut() }
}
