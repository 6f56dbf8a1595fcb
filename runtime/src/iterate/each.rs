//! Generic code over a function of one element that a call has chosen.

use std::fmt;
use std::marker::PhantomData;

use super::inner_loop::{self, Then};
use crate::{DType, Element, Result};

/// What stands in a kernel's parameters for the tensors, if the kernel is called once for a loop
/// and not for each element: `Each<'_, (A, B), O>` for two tensors and one result.
///
/// ```
/// use opwright_runtime::iterate::Each;
/// use opwright_runtime::{DType, Result};
///
/// fn shifted(each: Each<'_, f64, f64>, by: i64) -> Result<()> {
///     let by = by as f64;
///     if by == 0.0 { each.run(|x| x) } else { each.run(move |x| x + by) }
/// }
///
/// let (mut x, mut y) = ([1.0_f64, 2.0], [0.0_f64; 2]);
/// shifted(
///     Each::new(DType::Float64, &mut |it| {
///         // SAFETY: both arrays have two elements of the type that the function has.
///         unsafe { it.over_block(&[x.as_ptr().cast()], &[y.as_mut_ptr().cast()], 2) };
///         Ok(())
///     }),
///     3,
/// )?;
/// assert_eq!(y, [4.0, 5.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub struct Each<'a, I, O> {
    dtype: DType,
    then: Then<'a>,
    types: PhantomData<fn(I) -> O>,
}

impl<'a, I, O> Each<'a, I, O> {
    /// For tensors that are brought to `dtype`.
    #[inline(always)]
    pub fn new(dtype: DType, then: Then<'a>) -> Each<'a, I, O> {
        Each { dtype, then, types: PhantomData }
    }

    /// What tensors are brought to: it may have fewer digits than the type of the elements.
    #[inline(always)]
    pub fn dtype(&self) -> DType {
        self.dtype
    }
}

macro_rules! run {
    ($about:literal, $name:ident, ($($input:ident),*), $inputs:ty, $output:ty, $($result:ident)*) => {
        impl<$($input: Element,)* $($result: Element),*> Each<'_, $inputs, $output> {
            #[doc = $about]
            ///
            /// # Errors
            ///
            /// Those of the loop over tensors.
            #[inline(always)]
            pub fn run(self, f: impl Fn($($input),*) -> $output + Sync) -> Result<()> {
                inner_loop::$name(f, self.then)
            }
        }
    };
}

run! { "Takes the function of an element.", unary, (A), A, O, O }
run! { "Takes the function of an element of each.", binary, (A, B), (A, B), O, O }
run! { "Takes the function of an element of each.", ternary, (A, B, C), (A, B, C), O, O }
run! { "Takes the function of an element.", unary_pair, (A), A, (O, P), O P }
run! { "Takes the function of an element of each.", binary_pair, (A, B), (A, B), (O, P), O P }

macro_rules! run_blocks {
    ($about:literal, $name:ident, $inputs:ty, $($block:ty),*) => {
        impl<A: Element> Each<'_, $inputs, A> {
            #[doc = $about]
            ///
            /// It is compiled once, and not for each way in which elements may lie: better for what
            /// is long, and for what [`multiversion!`](crate::multiversion) compiles.
            ///
            /// # Errors
            ///
            /// Those of the loop over tensors.
            #[inline(always)]
            pub fn run_blocks(self, f: impl Fn($($block),*) + Sync) -> Result<()> {
                inner_loop::$name(f, self.then)
            }
        }
    };
}

run_blocks! { "Takes a function that replaces the elements of a block.", unary_blocks, A, &mut [A] }
run_blocks! {
    "Takes a function that replaces the elements of a block by what it makes of them and of as many \
     others.",
    binary_blocks, (A, A), &mut [A], &[A]
}

impl<I, O> fmt::Debug for Each<'_, I, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Each").field("dtype", &self.dtype).finish_non_exhaustive()
    }
}
