//! Loops of more inputs than have a loop of their own: the function takes its
//! elements as a tuple.

use std::array::from_fn;
use std::mem::MaybeUninit;

use super::driver::Job;
use super::inner::{self, target};
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

    /// The elements at place `i`.
    ///
    /// # Safety
    ///
    /// There is an initialised one of the right type in each input, and inputs are dense.
    #[doc(hidden)]
    unsafe fn load(firsts: &[*const u8; N], i: usize) -> Self;
}

macro_rules! inputs {
    ($($count:literal: $($element:ident $k:literal),*;)*) => {$(
        impl<$($element: Element),*> Inputs<$count> for ($($element,)*) {
            const DTYPES: [DType; $count] = [$($element::DTYPE),*];

            #[inline(always)]
            unsafe fn load(firsts: &[*const u8; $count], i: usize) -> Self {
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
    Job::many(&[(out, O::DTYPE)], &inputs).run_many(&|run: &Run<'_, MANY_OPERANDS>| {
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
    Job::many(&outputs, &inputs).run_many(&|run: &Run<'_, MANY_OPERANDS>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { two_results(&f, run) }
    })
}

/// Where the inputs of a run start.
#[inline(always)]
fn firsts<const N: usize>(run: &Run<'_, MANY_OPERANDS>, outputs: usize) -> [*const u8; N] {
    from_fn(|k| run.ptrs[outputs + k].cast_const())
}

/// # Safety
///
/// The run has one dense output, of type `O`, and dense inputs of the types `I`, apart from it.
pub(super) unsafe fn one_result<const N: usize, I: Inputs<N>, O: Element>(
    f: &impl Fn(I) -> O,
    run: &Run<'_, MANY_OPERANDS>,
) {
    // SAFETY: as above.
    unsafe { fill(f, target(run, 0), firsts::<N>(run, 1)) };
}

/// The output is a parameter of its own for the reason of [`inner`](super::inner).
///
/// # Safety
///
/// The inputs have as many elements as the output, of the types `I`.
unsafe fn fill<const N: usize, I: Inputs<N>, O>(
    f: &impl Fn(I) -> O,
    out: &mut [MaybeUninit<O>],
    firsts: [*const u8; N],
) {
    // SAFETY: as above.
    inner::nullary(&|i| f(unsafe { I::load(&firsts, i) }), 0, out);
}

/// # Safety
///
/// The run has two dense outputs, of types `O` and `P`, and dense inputs of the types `I`, apart from
/// them.
pub(super) unsafe fn two_results<const N: usize, I: Inputs<N>, O: Element, P: Element>(
    f: &impl Fn(I) -> (O, P),
    run: &Run<'_, MANY_OPERANDS>,
) {
    let firsts = firsts::<N>(run, 2);
    // SAFETY: as above.
    let (first, second) = unsafe { (target::<O, _>(run, 0), target::<P, _>(run, 1)) };
    for (i, (first, second)) in first.iter_mut().zip(second).enumerate() {
        // SAFETY: as above.
        let (one, other) = f(unsafe { I::load(&firsts, i) });
        first.write(one);
        second.write(other);
    }
}
