//! The innermost loops: all that is compiled anew for each function.
//!
//! They are for operands that are dense, and for outputs that are other memory than inputs or, in place,
//! than all inputs but the first; [`Staging`](super::staging::Staging) brings others into this form. Slices are parameters of
//! functions of their own: that is how the compiler learns that nothing else refers to them, and it
//! can use vector instructions without looking at addresses first.

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use super::cast::is_common;
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
    pub(super) avx512 fn nullary<O, F>(f: &F, position: usize, out: &mut [MaybeUninit<O>])
    where
        [F: Fn(usize) -> O]
    {
        for (i, slot) in out.iter_mut().enumerate() {
            slot.write(f(position + i));
        }
    }
}

/// Whether loops take their first input in the place of their output: those of common dtypes, if both
/// have the same. Others are compiled for operands apart only, and get the input through a block.
pub(super) const fn in_place(input: DType, output: DType) -> bool {
    is_common(input) && input as u8 == output as u8
}

/// [`in_place`] of types, in a `const` block, so that nothing is compiled for others.
const fn are_in_place<A: Element, O: Element>() -> bool {
    in_place(A::DTYPE, O::DTYPE)
}

/// Writes `f(a)`.
///
/// # Safety
///
/// The run has a dense output of type `O`, and a dense input of type `A`, apart from it or the same.
#[inline(always)]
pub(super) unsafe fn unary<A: Element, O: Element, F: Fn(A) -> O>(f: &F, run: &Run<'_>) {
    // SAFETY: as above.
    unsafe {
        if const { are_in_place::<A, O>() } && run.ptrs[0] == run.ptrs[1] {
            unary_in_place::<A, O, F>(f, target(run, 0));
        } else {
            unary_apart::<A, O, F>(f, target(run, 0), source::<A, _>(run, 1));
        }
    }
}

/// Writes `f(a, b)`.
///
/// # Safety
///
/// The run has an output of type `O`, and inputs of types `A` and `B`, at any distance; an input is apart
/// from the output or the same.
#[inline(always)]
pub(super) unsafe fn binary<A: Element, B: Element, O: Element, F: Fn(A, B) -> O>(
    f: &F,
    run: &Run<'_>,
) {
    let sizes = const { [size_of::<O>(), size_of::<A::Stored>(), size_of::<B::Stored>()] };
    let way = if is_plain(run, sizes) { InputStrides::Apart } else { way_of(run, sizes) };
    // SAFETY: as above; inputs that are read as slices are dense or single, and apart from the output.
    unsafe {
        match way {
            InputStrides::Apart => {
                let (a, b) = (elements::<A>(run, 1), elements::<B>(run, 2));
                binary_apart::<A, B, O, F>(f, target(run, 0), a, b);
            }
            InputStrides::InPlace if const { are_in_place::<A, O>() } => {
                binary_in_place::<A, B, O, F>(f, target(run, 0), elements::<B>(run, 2));
            }
            InputStrides::InPlace | InputStrides::Strided => binary_strided::<A, B, O, F>(f, run),
        }
    }
}

/// How a loop goes over two inputs.
#[derive(Clone, Copy)]
enum InputStrides {
    /// Both are dense, or one of them is one element for the whole run; they are apart from the output.
    Apart,
    /// The first is the output, the second is as above.
    InPlace,
    /// One element after the other.
    Strided,
}

/// Whether all operands are dense and inputs apart, as it is most of the time.
#[inline(always)]
fn is_plain(run: &Run<'_>, sizes: [usize; 3]) -> bool {
    let ([to, a, b, ..], [out, first, second, ..]) = (*run.strides, *run.ptrs);
    let [of_out, of_a, of_b] = sizes;
    let is_dense = (to == of_out as isize) & (a == of_a as isize) & (b == of_b as isize);
    is_dense & (out != first) & (out != second)
}

/// How the loop goes over a run of elements of these sizes.
fn way_of(run: &Run<'_>, sizes: [usize; 3]) -> InputStrides {
    let is_dense = |k: usize| run.strides[k] == sizes[k] as isize;
    let is_single = |k: usize| run.strides[k] == 0;
    let is_apart = |k: usize| run.ptrs[k] != run.ptrs[0];
    let fits = |k: usize| is_dense(k) || is_single(k);
    if !is_dense(0) || !fits(1) || !fits(2) || !is_apart(2) || is_single(1) && is_single(2) {
        return InputStrides::Strided;
    }
    match is_apart(1) {
        true => InputStrides::Apart,
        false if is_dense(1) => InputStrides::InPlace,
        false => InputStrides::Strided,
    }
}

/// The elements of input `k`, or the one that stands for all.
///
/// # Safety
///
/// Operand `k` is dense, or has one element for the whole run; it is of type `A`, initialised, and nobody
/// writes to it.
#[inline(always)]
unsafe fn elements<'a, A: Element>(run: &Run<'_>, k: usize) -> &'a [A::Stored] {
    let count = if run.strides[k] == 0 { 1 } else { run.count };
    // SAFETY: as above.
    unsafe { from_raw_parts(run.ptrs[k].cast_const().cast(), count) }
}

/// Writes `f(a, b)`, one after the other: elements that are far from each other leave time for that.
///
/// # Safety
///
/// As [`binary`].
unsafe fn binary_strided<A: Element, B: Element, O: Element, F: Fn(A, B) -> O>(
    f: &F,
    run: &Run<'_>,
) {
    let [mut out, mut a, mut b] = [run.ptrs[0], run.ptrs[1], run.ptrs[2]];
    // Not asked for again after each element that is written.
    let [to_out, to_a, to_b] = [run.strides[0], run.strides[1], run.strides[2]];
    for _ in 0..run.count {
        // SAFETY: as above; what is read is read before something is written where it is.
        unsafe {
            let first = A::from_stored(a.cast::<A::Stored>().read());
            let second = B::from_stored(b.cast::<B::Stored>().read());
            out.cast::<O>().write(f(first, second));
        }
        out = out.wrapping_offset(to_out);
        a = a.wrapping_offset(to_a);
        b = b.wrapping_offset(to_b);
    }
}

/// Writes `f(a, b, c)`.
///
/// # Safety
///
/// As [`binary`], with another input like the second.
#[inline(always)]
pub(super) unsafe fn ternary<A, B, C, O, F>(f: &F, run: &Run<'_>)
where
    A: Element,
    B: Element,
    C: Element,
    O: Element,
    F: Fn(A, B, C) -> O,
{
    // SAFETY: as above.
    unsafe {
        let (b, c) = (source::<B, _>(run, 2), source::<C, _>(run, 3));
        if const { are_in_place::<A, O>() } && run.ptrs[0] == run.ptrs[1] {
            ternary_in_place::<A, B, C, O, F>(f, target(run, 0), b, c);
        } else {
            ternary_apart::<A, B, C, O, F>(f, target(run, 0), source::<A, _>(run, 1), b, c);
        }
    }
}

multiversion! {
    avx512 fn unary_apart<A, O, F>(f: &F, out: &mut [MaybeUninit<O>], a: &[A::Stored])
    where
        [A: Element, F: Fn(A) -> O]
    {
        debug_assert!(a.len() == out.len());
        let (to, a) = (out.as_mut_ptr().cast::<O>(), a.as_ptr());
        let mut at = 0;
        while at < out.len() {
            // SAFETY: the operands of a run have as many elements.
            unsafe { to.add(at).write(f(A::from_stored(a.add(at).read()))) };
            at += 1;
        }
    }

    avx512 fn unary_in_place<A, O, F>(f: &F, all: &mut [MaybeUninit<O>])
    where
        [A: Element, F: Fn(A) -> O]
    {
        let (to, from) = (all.as_mut_ptr().cast::<O>(), all.as_ptr().cast::<A::Stored>());
        let mut at = 0;
        while at < all.len() {
            // SAFETY: the input is there, in a place as large.
            unsafe { to.add(at).write(f(A::from_stored(from.add(at).read()))) };
            at += 1;
        }
    }

    /// An input of one element stands for as many as are written.
    avx512 fn binary_apart<A, B, O, F>(
        f: &F,
        out: &mut [MaybeUninit<O>],
        a: &[A::Stored],
        b: &[B::Stored],
    )
    where
        [A: Element, B: Element, F: Fn(A, B) -> O]
    {
        let (to, count) = (out.as_mut_ptr().cast::<O>(), out.len());
        let (is_first_single, is_second_single) = (a.len() < count, b.len() < count);
        let (a, b, mut at) = (a.as_ptr(), b.as_ptr(), 0);
        // SAFETY: the operands of a run have as many elements, or one.
        unsafe {
            if is_first_single {
                let first = A::from_stored(a.read());
                while at < count {
                    to.add(at).write(f(first, B::from_stored(b.add(at).read())));
                    at += 1;
                }
            } else if is_second_single {
                let second = B::from_stored(b.read());
                while at < count {
                    to.add(at).write(f(A::from_stored(a.add(at).read()), second));
                    at += 1;
                }
            } else {
                while at < count {
                    let (a, b) = (a.add(at).read(), b.add(at).read());
                    to.add(at).write(f(A::from_stored(a), B::from_stored(b)));
                    at += 1;
                }
            }
        }
    }

    /// A second input of one element stands for as many as are written.
    avx512 fn binary_in_place<A, B, O, F>(f: &F, all: &mut [MaybeUninit<O>], b: &[B::Stored])
    where
        [A: Element, B: Element, F: Fn(A, B) -> O]
    {
        let (to, a) = (all.as_mut_ptr().cast::<O>(), all.as_ptr().cast::<A::Stored>());
        let (b, is_single, mut at) = (b.as_ptr(), b.len() < all.len(), 0);
        // SAFETY: the first input is there, in a place as large, and of the second are as many, or one.
        unsafe {
            if is_single {
                let second = B::from_stored(b.read());
                while at < all.len() {
                    to.add(at).write(f(A::from_stored(a.add(at).read()), second));
                    at += 1;
                }
            } else {
                while at < all.len() {
                    let (a, b) = (a.add(at).read(), b.add(at).read());
                    to.add(at).write(f(A::from_stored(a), B::from_stored(b)));
                    at += 1;
                }
            }
        }
    }

    avx512 fn ternary_apart<A, B, C, O, F>(
        f: &F,
        out: &mut [MaybeUninit<O>],
        a: &[A::Stored],
        b: &[B::Stored],
        c: &[C::Stored],
    )
    where
        [A: Element, B: Element, C: Element, F: Fn(A, B, C) -> O]
    {
        debug_assert!([a.len(), b.len(), c.len()] == [out.len(); 3]);
        let (to, a) = (out.as_mut_ptr().cast::<O>(), a.as_ptr());
        let (b, c, mut at) = (b.as_ptr(), c.as_ptr(), 0);
        while at < out.len() {
            // SAFETY: the operands of a run have as many elements.
            unsafe {
                let (a, b) = (A::from_stored(a.add(at).read()), B::from_stored(b.add(at).read()));
                to.add(at).write(f(a, b, C::from_stored(c.add(at).read())));
            }
            at += 1;
        }
    }

    avx512 fn ternary_in_place<A, B, C, O, F>(
        f: &F,
        all: &mut [MaybeUninit<O>],
        b: &[B::Stored],
        c: &[C::Stored],
    )
    where
        [A: Element, B: Element, C: Element, F: Fn(A, B, C) -> O]
    {
        debug_assert!(b.len() == all.len() && c.len() == all.len());
        let (to, a) = (all.as_mut_ptr().cast::<O>(), all.as_ptr().cast::<A::Stored>());
        let (b, c, mut at) = (b.as_ptr(), c.as_ptr(), 0);
        while at < all.len() {
            // SAFETY: the first input is there, in a place as large, and of the others are as many.
            unsafe {
                let (a, b) = (A::from_stored(a.add(at).read()), B::from_stored(b.add(at).read()));
                to.add(at).write(f(a, b, C::from_stored(c.add(at).read())));
            }
            at += 1;
        }
    }
}

/// Writes both results of `f(a)`.
///
/// # Safety
///
/// The run has dense outputs of types `O` and `P`, and a dense input of type `A`, all apart.
#[inline]
pub(super) unsafe fn unary_pair<A: Element, O, P>(f: &impl Fn(A) -> (O, P), run: &Run<'_>) {
    // SAFETY: as above.
    unsafe { unary_pair_apart(f, target(run, 0), target(run, 1), source::<A, _>(run, 2)) };
}

/// Writes both results of `f(a, b)`.
///
/// # Safety
///
/// As [`unary_pair`], with another such input of type `B`.
#[inline]
pub(super) unsafe fn binary_pair<A: Element, B: Element, O, P>(
    f: &impl Fn(A, B) -> (O, P),
    run: &Run<'_>,
) {
    // SAFETY: as above.
    unsafe {
        let (a, b) = (source::<A, _>(run, 2), source::<B, _>(run, 3));
        binary_pair_apart(f, target(run, 0), target(run, 1), a, b);
    }
}

#[inline]
fn unary_pair_apart<A: Element, O, P>(
    f: &impl Fn(A) -> (O, P),
    first: &mut [MaybeUninit<O>],
    second: &mut [MaybeUninit<P>],
    a: &[A::Stored],
) {
    for ((first, second), &a) in first.iter_mut().zip(second).zip(a) {
        let (one, other) = f(A::from_stored(a));
        first.write(one);
        second.write(other);
    }
}

#[inline]
fn binary_pair_apart<A: Element, B: Element, O, P>(
    f: &impl Fn(A, B) -> (O, P),
    first: &mut [MaybeUninit<O>],
    second: &mut [MaybeUninit<P>],
    a: &[A::Stored],
    b: &[B::Stored],
) {
    for (((first, second), &a), &b) in first.iter_mut().zip(second).zip(a).zip(b) {
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
/// The run has one dense output and one dense input, of type `A`, apart from each other or the same.
pub(super) unsafe fn unary_blocks<A: Element>(f: &impl Fn(&mut [A]), run: &Run<'_>) {
    // SAFETY: as above.
    unsafe { each_block(run, |_, all| f(all)) };
}

/// The same, and the function also gets as many elements of another input.
///
/// # Safety
///
/// As [`unary_blocks`], with another input of that type, which is not `bool`, apart from the output.
pub(super) unsafe fn binary_blocks<A: Element>(f: &impl Fn(&mut [A], &[A]), run: &Run<'_>) {
    const { assert!(A::DTYPE as u8 != DType::Bool as u8, "blocks of `bool` are not supported") };
    // SAFETY: as above; all bytes of numbers are numbers.
    let others = unsafe { from_raw_parts(run.ptrs[2].cast_const().cast::<A>(), run.count) };
    // SAFETY: as above.
    unsafe { each_block(run, |first, all: &mut [A]| f(all, &others[first..first + all.len()])) };
}

/// Calls `f` with the elements of each block, which have been brought to the output, and the place of
/// the first.
///
/// # Safety
///
/// As [`unary_blocks`].
#[inline(always)]
unsafe fn each_block<A: Element>(run: &Run<'_>, mut f: impl FnMut(usize, &mut [A])) {
    for first in (0..run.count).step_by(BLOCK) {
        let count = BLOCK.min(run.count - first);
        let (to, from) = (run.ptrs[0].cast::<A>(), run.ptrs[1].cast::<A::Stored>());
        let (to, from) = (to.wrapping_add(first), from.wrapping_add(first));
        for k in 0..count {
            // SAFETY: as above; an element is read before it is written where it was.
            unsafe { to.add(k).write(A::from_stored(from.add(k).read())) };
        }
        // SAFETY: so many were written, and nothing else refers to them.
        f(first, unsafe { from_raw_parts_mut(to, count) });
    }
}
