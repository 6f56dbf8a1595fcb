//! The innermost loops: all that is compiled anew for each function.
//!
//! Each is there several times: over slices that are filled from inputs of
//! which the compiler knows that they do not overlap, see [`fill`], and element
//! by element at any distance. The latter is also right if an output is the same
//! memory as an input.

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use super::fill::{self, Dense, Input, Second, Single, Strided};
use super::plan::Run;
use crate::{DType, Element};

/// Whether the elements of operand `k` are neighbours.
#[inline(always)]
fn is_dense<T>(run: &Run<'_>, k: usize) -> bool {
    run.strides[k] == size_of::<T>() as isize
}

/// Whether the elements of operand `k` have another one between them.
#[inline(always)]
fn is_second<T>(run: &Run<'_>, k: usize) -> bool {
    run.strides[k] == 2 * size_of::<T>() as isize
}

/// How the elements of an input lie.
enum Shape {
    Dense,
    Single,
    Strided,
}

#[inline(always)]
fn shape_of<T>(run: &Run<'_>, k: usize) -> Shape {
    if is_dense::<T>(run, k) {
        Shape::Dense
    } else if is_single(run, k) {
        Shape::Single
    } else {
        Shape::Strided
    }
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
            fill::nullary(f, run.position, fill::target(run));
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
        if is_dense::<O>(run, 0) && is_apart(run, 1) {
            let out = fill::target(run);
            match is_dense::<A>(run, 1) {
                true => fill::unary(f, out, Dense::<A>::new(run, 1)),
                false => fill::unary(f, out, Strided::<A>::new(run, 1)),
            }
        } else if is_in_place::<A, O>(run) {
            fill::each(changed::<A>(run), |slot| replace::<A, O>(slot, f));
        } else {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i)));
            }
        }
    }
}

/// How many elements a function of blocks gets at most.
const BLOCK: usize = 512;

/// Room for the elements of a block, aligned as a line of the cache: else the widest registers
/// would be read from two of them.
#[repr(align(64))]
struct Block<A>([MaybeUninit<A>; BLOCK]);

impl<A> Block<A> {
    fn new() -> Block<A> {
        Block([const { MaybeUninit::uninit() }; BLOCK])
    }
}

/// So many elements of input `k`, from one on.
///
/// # Safety
///
/// Operand `k` is of type `A`, and has these elements.
#[inline(always)]
unsafe fn gathered<'a, A: Element>(
    block: &'a mut Block<A>,
    run: &Run<'_>,
    k: usize,
    first: usize,
    count: usize,
) -> &'a mut [A] {
    let block = &mut block.0[..count];
    // SAFETY: as above; each place of the block is written.
    unsafe {
        if is_dense::<A>(run, k) {
            let elements = &source::<A>(run, k)[first..first + count];
            for (place, stored) in block.iter_mut().zip(elements) {
                place.write(A::from_stored(*stored));
            }
        } else {
            for (at, place) in block.iter_mut().enumerate() {
                place.write(load(run, k, first + at));
            }
        }
        block.assume_init_mut()
    }
}

/// Writes the elements of a block to output 0, from one on.
///
/// # Safety
///
/// Operand 0 is of type `A`, and has as many elements.
#[inline(always)]
unsafe fn scatter<A: Element>(block: &[A], run: &Run<'_>, first: usize) {
    // SAFETY: as above.
    unsafe {
        if is_dense::<A>(run, 0) {
            let place = run.ptrs[0].cast::<A>().add(first);
            place.copy_from_nonoverlapping(block.as_ptr(), block.len());
        } else {
            for (at, &element) in block.iter().enumerate() {
                store(run, 0, first + at, element);
            }
        }
    }
}

/// The first elements of blocks, and how many each has.
fn blocks(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).step_by(BLOCK).map(move |first| (first, BLOCK.min(count - first)))
}

/// Input `k` from one element on, copied to as many elements of the output: a function changes
/// them there, and no block is copied back. None, if the output is not dense or not apart from
/// input `k`.
///
/// # Safety
///
/// Operand 0 and operand `k` are of type `A`, and have these elements.
#[inline(always)]
unsafe fn copied<'a, A: Element>(
    run: &Run<'_>,
    k: usize,
    first: usize,
    count: usize,
) -> Option<&'a mut [A]> {
    if A::DTYPE as u8 == DType::Bool as u8 || !is_dense::<A>(run, 0) || !is_apart(run, k) {
        return None;
    }
    // SAFETY: the output is dense and other memory than the input; it is written before it is
    // read, and all bytes of numbers are numbers.
    unsafe {
        let out = run.ptrs[0].cast::<A>().add(first);
        if is_dense::<A>(run, k) {
            out.copy_from_nonoverlapping(run.ptrs[k].cast::<A>().add(first), count);
        } else {
            for at in 0..count {
                out.add(at).write(load(run, k, first + at));
            }
        }
        Some(from_raw_parts_mut(out, count))
    }
}

/// # Safety
///
/// As [`unary`].
pub(super) unsafe fn unary_blocks<A: Element>(f: &impl Fn(&mut [A]), run: &Run<'_>) {
    let mut block = Block::new();
    for (first, count) in blocks(run.count) {
        // SAFETY: as above; a block is read before its places are written.
        unsafe {
            if let Some(out) = copied(run, 1, first, count) {
                f(out);
                continue;
            }
            let block = gathered(&mut block, run, 1, first, count);
            f(block);
            scatter(block, run, first);
        }
    }
}

/// # Safety
///
/// As [`binary`].
pub(super) unsafe fn binary_blocks<A: Element>(f: &impl Fn(&mut [A], &[A]), run: &Run<'_>) {
    let mut block = Block::new();
    let mut others = Block::new();
    for (first, count) in blocks(run.count) {
        // SAFETY: as above; both blocks are read before the places of one are written.
        unsafe {
            let others = gathered(&mut others, run, 2, first, count);
            if is_apart(run, 2)
                && let Some(out) = copied(run, 1, first, count)
            {
                f(out, others);
                continue;
            }
            let block = gathered(&mut block, run, 1, first, count);
            f(block, others);
            scatter(block, run, first);
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
    let are_dense = is_dense::<O>(run, 0) & is_dense::<A>(run, 1) & is_dense::<B>(run, 2);
    if are_dense && is_apart(run, 1) && is_apart(run, 2) {
        // SAFETY: as above.
        return unsafe {
            fill::binary(f, fill::target(run), Dense::<A>::new(run, 1), Dense::<B>::new(run, 2));
        };
    }
    // SAFETY: as above.
    unsafe { binary_of_any(f, run) }
}

/// # Safety
///
/// As [`binary`].
// What saves registers stays out of the way of the most frequent loop.
#[inline(never)]
unsafe fn binary_of_any<A: Element, B: Element, O: Element>(f: &impl Fn(A, B) -> O, run: &Run<'_>) {
    if is_in_place::<A, O>(run) && is_apart(run, 2) {
        // SAFETY: as above.
        return unsafe { binary_in_place(f, run) };
    }
    // SAFETY: as above.
    unsafe {
        if !(is_dense::<O>(run, 0) && is_apart(run, 1) && is_apart(run, 2)) {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i), load(run, 2, i)));
            }
            return;
        }
        let out = fill::target(run);
        match (shape_of::<A>(run, 1), shape_of::<B>(run, 2)) {
            (Shape::Dense, Shape::Single) => {
                fill::binary(f, out, Dense::<A>::new(run, 1), Single::<B>::new(run, 2));
            }
            (Shape::Single, Shape::Dense) => {
                fill::binary(f, out, Single::<A>::new(run, 1), Dense::<B>::new(run, 2));
            }
            _ => fill::binary(f, out, Strided::<A>::new(run, 1), Strided::<B>::new(run, 2)),
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
            let mut others = Dense::<B>::new(run, 2);
            fill::each(changed::<A>(run), move |slot| {
                let b = others.next();
                replace::<A, O>(slot, |a| f(a, b));
            });
        } else if is_single(run, 2) {
            let b = load(run, 2, 0);
            fill::each(changed::<A>(run), move |slot| replace::<A, O>(slot, |a| f(a, b)));
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
    let apart = is_apart(run, 1) && is_apart(run, 2) && is_apart(run, 3);
    // SAFETY: as above.
    unsafe {
        if !(is_dense::<O>(run, 0) && apart) {
            for i in 0..run.count {
                store(run, 0, i, f(load(run, 1, i), load(run, 2, i), load(run, 3, i)));
            }
            return;
        }
        let shapes = (shape_of::<A>(run, 1), shape_of::<B>(run, 2), shape_of::<C>(run, 3));
        let out = fill::target(run);
        match shapes {
            (Shape::Dense, Shape::Dense, Shape::Dense) => {
                let (b, c) = (Dense::<B>::new(run, 2), Dense::<C>::new(run, 3));
                fill::ternary(f, out, Dense::<A>::new(run, 1), b, c);
            }
            (Shape::Dense, Shape::Dense, Shape::Single) => {
                let (b, c) = (Dense::<B>::new(run, 2), Single::<C>::new(run, 3));
                fill::ternary(f, out, Dense::<A>::new(run, 1), b, c);
            }
            (Shape::Dense, Shape::Single, Shape::Dense) => {
                let (b, c) = (Single::<B>::new(run, 2), Dense::<C>::new(run, 3));
                fill::ternary(f, out, Dense::<A>::new(run, 1), b, c);
            }
            (Shape::Dense, Shape::Single, Shape::Single) => {
                let (b, c) = (Single::<B>::new(run, 2), Single::<C>::new(run, 3));
                fill::ternary(f, out, Dense::<A>::new(run, 1), b, c);
            }
            _ if is_second::<A>(run, 1) && is_second::<B>(run, 2) && is_second::<C>(run, 3) => {
                let (b, c) = (Second::<B>::new(run, 2), Second::<C>::new(run, 3));
                fill::ternary_apart(f, out, Second::<A>::new(run, 1), b, c);
            }
            _ => {
                let (b, c) = (Strided::<B>::new(run, 2), Strided::<C>::new(run, 3));
                fill::ternary_apart(f, out, Strided::<A>::new(run, 1), b, c);
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
