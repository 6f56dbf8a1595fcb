//! Loops of more inputs than have a loop of their own: the function takes its
//! elements as a tuple.

use std::array::from_fn;
use std::mem::MaybeUninit;

use super::driver::Job;
use super::fill;
use super::plan::{MANY_OPERANDS, Run};
use crate::{DType, Element, Result, Tensor};

/// As many elements as a function takes, one of each input: a tuple of up to
/// eleven, eight of a kernel and three gradients.
///
/// The methods are for the loops, and `N` is the length of the tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of {N} elements",
    label = "a loop takes eleven inputs at most"
)]
pub trait Inputs<const N: usize>: Sized {
    /// Their dtypes.
    const DTYPES: [DType; N];

    /// Whether elements at these distances, in bytes, are neighbours in each input.
    #[doc(hidden)]
    fn are_dense(strides: &[isize; N]) -> bool;

    /// The elements at place `i`.
    ///
    /// # Safety
    ///
    /// There is an initialised one of the right type in each input.
    #[doc(hidden)]
    unsafe fn load(firsts: &[*const u8; N], strides: &[isize; N], i: usize) -> Self;

    /// The same, where they are neighbours.
    ///
    /// # Safety
    ///
    /// As [`Inputs::load`].
    #[doc(hidden)]
    unsafe fn load_dense(firsts: &[*const u8; N], i: usize) -> Self;
}

macro_rules! inputs {
    ($($count:literal: $($element:ident $k:literal),*;)*) => {$(
        impl<$($element: Element),*> Inputs<$count> for ($($element,)*) {
            const DTYPES: [DType; $count] = [$($element::DTYPE),*];

            #[inline(always)]
            fn are_dense(strides: &[isize; $count]) -> bool {
                $(strides[$k] == size_of::<$element::Stored>() as isize)&&*
            }

            #[inline(always)]
            unsafe fn load(firsts: &[*const u8; $count], strides: &[isize; $count], i: usize) -> Self {
                // SAFETY: as the caller says; an input at distance zero has one element.
                unsafe {
                    ($($element::from_stored(
                        firsts[$k]
                            .wrapping_offset(i as isize * strides[$k])
                            .cast::<$element::Stored>()
                            .read(),
                    ),)*)
                }
            }

            #[inline(always)]
            unsafe fn load_dense(firsts: &[*const u8; $count], i: usize) -> Self {
                // SAFETY: as the caller says.
                unsafe {
                    ($($element::from_stored(
                        firsts[$k].cast::<$element::Stored>().add(i).read(),
                    ),)*)
                }
            }
        }
    )*};
}

inputs! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
    7: A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    9: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    10: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    11: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
}

/// Writes `f((a, b, c, d))` to every element, of one to eleven inputs.
///
/// # Errors
///
/// As [`unary`](super::unary).
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let a = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let mut out = a.copy()?;
/// let sum = |(a, b, c, d): (f64, f64, f64, f64)| a + b + c + d;
/// iterate::nary([&a, &a, &a, &a], &mut out, sum)?;
/// assert_eq!(out.to_vec::<f64>()?, [4.0, 8.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn nary<const N: usize, I: Inputs<N>, O: Element>(
    inputs: [&Tensor; N],
    out: &mut Tensor,
    f: impl Fn(I) -> O + Sync,
) -> Result<()> {
    let inputs: [(&Tensor, DType); N] = from_fn(|k| (inputs[k], I::DTYPES[k]));
    Job::many(&[(out, O::DTYPE)], &inputs).run_many(&|run| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { one_result(&f, run) }
    })
}

/// Writes both results of `f((a, b, c))` to every element of two outputs.
///
/// # Errors
///
/// As [`unary_pair`](super::unary_pair).
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let a = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let (mut sum, mut product) = (a.copy()?, a.copy()?);
/// let both = |(a, b, c): (f64, f64, f64)| (a + b + c, a * b * c);
/// iterate::nary_pair([&a, &a, &a], (&mut sum, &mut product), both)?;
/// assert_eq!((sum.to_vec::<f64>()?, product.to_vec::<f64>()?), (vec![3.0, 6.0], vec![1.0, 8.0]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn nary_pair<const N: usize, I: Inputs<N>, O: Element, P: Element>(
    inputs: [&Tensor; N],
    out: (&mut Tensor, &mut Tensor),
    f: impl Fn(I) -> (O, P) + Sync,
) -> Result<()> {
    let inputs: [(&Tensor, DType); N] = from_fn(|k| (inputs[k], I::DTYPES[k]));
    let outputs = [(&*out.0, O::DTYPE), (&*out.1, P::DTYPE)];
    Job::many(&outputs, &inputs).run_many(&|run| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { two_results(&f, run) }
    })
}

/// Where the inputs of a run start, and how far their next elements are.
#[inline(always)]
fn inputs_of<const N: usize>(
    run: &Run<'_, MANY_OPERANDS>,
    outputs: usize,
) -> ([*const u8; N], [isize; N]) {
    let first = |k: usize| run.ptrs[outputs + k].cast_const();
    (from_fn(first), from_fn(|k| run.strides[outputs + k]))
}

/// The place of element `i` of output `k`.
#[inline(always)]
fn place<O>(run: &Run<'_, MANY_OPERANDS>, k: usize, i: usize) -> *mut O {
    run.ptrs[k].wrapping_offset(i as isize * run.strides[k]).cast()
}

/// # Safety
///
/// The run has one output, of type `O`, and inputs of the types `I`. Each input
/// is either the same memory as the output or apart from it.
pub(super) unsafe fn one_result<const N: usize, I: Inputs<N>, O: Element>(
    f: &impl Fn(I) -> O,
    run: &Run<'_, MANY_OPERANDS>,
) {
    let (firsts, strides) = inputs_of::<N>(run, 1);
    let is_apart = firsts.iter().all(|it| *it != run.ptrs[0].cast_const());
    let is_dense = run.strides[0] == size_of::<O>() as isize && I::are_dense(&strides);
    if is_apart && is_dense {
        // SAFETY: as above; the output is dense, and apart from what is read.
        unsafe { fill_dense(f, fill::target(run), firsts) };
        return;
    }
    for i in 0..run.count {
        // SAFETY: as above; elements are read before their place is written.
        unsafe { place::<O>(run, 0, i).write(f(I::load(&firsts, &strides, i))) };
    }
}

/// The output is a parameter of its own for the reason of [`fill`].
///
/// # Safety
///
/// The inputs have as many elements as the output, of the types `I`.
unsafe fn fill_dense<const N: usize, I: Inputs<N>, O>(
    f: &impl Fn(I) -> O,
    out: &mut [MaybeUninit<O>],
    firsts: [*const u8; N],
) {
    let mut i = 0;
    fill::each(out, move |slot| {
        // SAFETY: as above.
        slot.write(f(unsafe { I::load_dense(&firsts, i) }));
        i += 1;
    });
}

/// # Safety
///
/// The run has two outputs, of types `O` and `P`, and inputs of the types `I`.
pub(super) unsafe fn two_results<const N: usize, I: Inputs<N>, O: Element, P: Element>(
    f: &impl Fn(I) -> (O, P),
    run: &Run<'_, MANY_OPERANDS>,
) {
    let (firsts, strides) = inputs_of::<N>(run, 2);
    for i in 0..run.count {
        // SAFETY: as above; elements are read before their places are written.
        unsafe {
            let (first, second) = f(I::load(&firsts, &strides, i));
            place::<O>(run, 0, i).write(first);
            place::<P>(run, 1, i).write(second);
        }
    }
}
