//! The innermost loops: all that is compiled anew for each function.
//!
//! Each is there twice: over slices, which the compiler turns into vector
//! instructions because it knows that they do not overlap, and element by
//! element at any distance. The latter is also right if an output is the same
//! memory as an input.

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use super::plan::Run;
use crate::Element;

/// Whether the elements of operand `k` are neighbours.
#[inline(always)]
fn is_dense<T>(run: &Run<'_>, k: usize) -> bool {
    run.strides[k] == size_of::<T>() as isize
}

/// Whether input `k` is one element for the whole run.
#[inline(always)]
fn is_single(run: &Run<'_>, k: usize) -> bool {
    run.strides[k] == 0
}

/// Whether the output is the same memory as input 1, with dense elements of the
/// same type.
#[inline(always)]
fn is_in_place<A: Element, O: Element>(run: &Run<'_>) -> bool {
    O::DTYPE as u8 == A::DTYPE as u8 && is_dense::<O>(run, 0) && run.ptrs[0] == run.ptrs[1]
}

/// Replaces an element by what a function makes of it.
///
/// # Safety
///
/// `A` and `O` are the same type.
#[inline(always)]
unsafe fn replace<A: Element, O: Element>(slot: &mut A::Stored, f: impl FnOnce(A) -> O) {
    let value = f(A::from_stored(*slot));
    // SAFETY: as above.
    unsafe { (&raw mut *slot).cast::<O>().write(value) };
}

/// Whether input `k` is other memory than the output.
#[inline(always)]
fn is_apart(run: &Run<'_>, k: usize) -> bool {
    run.ptrs[0] != run.ptrs[k]
}

/// The elements of a dense output.
///
/// # Safety
///
/// Operand `k` is dense, of type `O`, and nothing else refers to it.
#[inline(always)]
unsafe fn target<'a, O>(run: &Run<'_>, k: usize) -> &'a mut [MaybeUninit<O>] {
    // SAFETY: as above.
    unsafe { from_raw_parts_mut(run.ptrs[k].cast(), run.count) }
}

/// The elements of an output that is also an input.
///
/// # Safety
///
/// Both are dense, of type `A`, and nothing else refers to them.
#[inline(always)]
unsafe fn changed<'a, A: Element>(run: &Run<'_>) -> &'a mut [A::Stored] {
    // SAFETY: as above.
    unsafe { from_raw_parts_mut(run.ptrs[0].cast(), run.count) }
}

/// The elements of a dense input.
///
/// # Safety
///
/// Operand `k` is dense, of type `A`, initialised, and nobody writes to it.
#[inline(always)]
unsafe fn source<'a, A: Element>(run: &Run<'_>, k: usize) -> &'a [A::Stored] {
    // SAFETY: as above.
    unsafe { from_raw_parts(run.ptrs[k].cast(), run.count) }
}

/// Element `i` of input `k`.
///
/// # Safety
///
/// Operand `k` is of type `A`, and `i` is less than the count of the run.
#[inline(always)]
unsafe fn load<A: Element>(run: &Run<'_>, k: usize, i: usize) -> A {
    // SAFETY: as above.
    let stored = unsafe {
        run.ptrs[k].wrapping_offset(i as isize * run.strides[k]).cast::<A::Stored>().read()
    };
    A::from_stored(stored)
}

/// Writes element `i` of output `k`.
///
/// # Safety
///
/// As [`load`].
#[inline(always)]
unsafe fn store<O: Element>(run: &Run<'_>, k: usize, i: usize, value: O) {
    // SAFETY: as above.
    unsafe { run.ptrs[k].wrapping_offset(i as isize * run.strides[k]).cast::<O>().write(value) }
}

/// # Safety
///
/// The run has one output, of type `O`.
pub(super) unsafe fn nullary<O: Element>(f: &impl Fn(usize) -> O, run: &Run<'_>) {
    // SAFETY: as above; the output is an operand of its own.
    unsafe {
        if is_dense::<O>(run, 0) {
            for (i, slot) in target::<O>(run, 0).iter_mut().enumerate() {
                slot.write(f(run.position + i));
            }
        } else {
            for i in 0..run.count {
                store(run, 0, i, f(run.position + i));
            }
        }
    }
}

/// # Safety
///
/// The run has one output and one input, of types `O` and `A`. The input is
/// either the same memory as the output or apart from it.
pub(super) unsafe fn unary<A: Element, O: Element>(f: &impl Fn(A) -> O, run: &Run<'_>) {
    // SAFETY: as above.
    unsafe {
        if is_dense::<O>(run, 0) && is_dense::<A>(run, 1) && is_apart(run, 1) {
            for (slot, &a) in target(run, 0).iter_mut().zip(source::<A>(run, 1)) {
                slot.write(f(A::from_stored(a)));
            }
        } else if is_in_place::<A, O>(run) {
            for slot in changed::<A>(run) {
                replace::<A, O>(slot, f);
            }
        } else {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i)));
            }
        }
    }
}

/// # Safety
///
/// The run has one output and two inputs, of types `O`, `A` and `B`. Each input
/// is either the same memory as the output or apart from it.
pub(super) unsafe fn binary<A: Element, B: Element, O: Element>(
    f: &impl Fn(A, B) -> O,
    run: &Run<'_>,
) {
    if is_in_place::<A, O>(run) && is_apart(run, 2) {
        // SAFETY: as above.
        return unsafe { binary_in_place(f, run) };
    }
    let apart = is_dense::<O>(run, 0) && is_apart(run, 1) && is_apart(run, 2);
    // SAFETY: as above.
    unsafe {
        match (apart, is_dense::<A>(run, 1), is_dense::<B>(run, 2)) {
            (true, true, true) => {
                let inputs = source::<A>(run, 1).iter().zip(source::<B>(run, 2));
                for (slot, (&a, &b)) in target(run, 0).iter_mut().zip(inputs) {
                    slot.write(f(A::from_stored(a), B::from_stored(b)));
                }
            }
            (true, true, false) if is_single(run, 2) => {
                let b = load(run, 2, 0);
                for (slot, &a) in target(run, 0).iter_mut().zip(source::<A>(run, 1)) {
                    slot.write(f(A::from_stored(a), b));
                }
            }
            (true, false, true) if is_single(run, 1) => {
                let a = load(run, 1, 0);
                for (slot, &b) in target(run, 0).iter_mut().zip(source::<B>(run, 2)) {
                    slot.write(f(a, B::from_stored(b)));
                }
            }
            _ => {
                for i in 0..run.count {
                    store(run, 0, i, f(load(run, 1, i), load(run, 2, i)));
                }
            }
        }
    }
}

/// # Safety
///
/// As [`binary`]; the output is the same memory as the first input, of the same
/// type, and the second input is apart from it.
unsafe fn binary_in_place<A: Element, B: Element, O: Element>(
    f: &impl Fn(A, B) -> O,
    run: &Run<'_>,
) {
    // SAFETY: as above.
    unsafe {
        if is_dense::<B>(run, 2) {
            for (slot, &b) in changed::<A>(run).iter_mut().zip(source::<B>(run, 2)) {
                replace::<A, O>(slot, |a| f(a, B::from_stored(b)));
            }
        } else if is_single(run, 2) {
            let b = load(run, 2, 0);
            for slot in changed::<A>(run) {
                replace::<A, O>(slot, |a| f(a, b));
            }
        } else {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i), load(run, 2, i)));
            }
        }
    }
}

/// # Safety
///
/// The run has one output and three inputs, of types `O`, `A`, `B` and `C`. Each
/// input is either the same memory as the output or apart from it.
pub(super) unsafe fn ternary<A: Element, B: Element, C: Element, O: Element>(
    f: &impl Fn(A, B, C) -> O,
    run: &Run<'_>,
) {
    let is_flat = is_dense::<O>(run, 0)
        && is_dense::<A>(run, 1)
        && is_dense::<B>(run, 2)
        && is_dense::<C>(run, 3);
    // SAFETY: as above.
    unsafe {
        if is_flat && is_apart(run, 1) && is_apart(run, 2) && is_apart(run, 3) {
            let inputs = source::<A>(run, 1).iter().zip(source::<B>(run, 2));
            let inputs = inputs.zip(source::<C>(run, 3));
            for (slot, ((&a, &b), &c)) in target(run, 0).iter_mut().zip(inputs) {
                slot.write(f(A::from_stored(a), B::from_stored(b), C::from_stored(c)));
            }
        } else {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i), load(run, 2, i), load(run, 3, i)));
            }
        }
    }
}

/// # Safety
///
/// The run has two outputs and one input, of types `O`, `P` and `A`.
pub(super) unsafe fn unary_pair<A: Element, O: Element, P: Element>(
    f: &impl Fn(A) -> (O, P),
    run: &Run<'_>,
) {
    for i in 0..run.count {
        // SAFETY: as above; an element is read before its place is written.
        unsafe {
            let (first, second) = f(load(run, 2, i));
            store(run, 0, i, first);
            store(run, 1, i, second);
        }
    }
}

/// # Safety
///
/// The run has two outputs and two inputs, of types `O`, `P`, `A` and `B`.
pub(super) unsafe fn binary_pair<A: Element, B: Element, O: Element, P: Element>(
    f: &impl Fn(A, B) -> (O, P),
    run: &Run<'_>,
) {
    for i in 0..run.count {
        // SAFETY: as above; elements are read before their places are written.
        unsafe {
            let (first, second) = f(load(run, 2, i), load(run, 3, i));
            store(run, 0, i, first);
            store(run, 1, i, second);
        }
    }
}
