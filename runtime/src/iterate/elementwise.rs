//! Element-wise loops over a function of one element, by the number of inputs and outputs.

use super::cast::cast_loop;
use super::driver::Job;
use super::plan::Run;
use super::{inner, transpose};
use crate::{Element, Result, Tensor};

/// Writes `f()` to every element.
///
/// # Errors
///
/// `Runtime` if `out` reaches an element twice, `NotImplemented` if a tensor is
/// on the meta device.
///
/// ```
/// use opwright_runtime::{DType, Device, Tensor, iterate};
///
/// let mut ones = Tensor::allocate(&[2], DType::Float32, Device::Cpu)?;
/// iterate::nullary(&mut ones, || 1.0_f32)?;
/// assert_eq!(ones.to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn nullary<O: Element>(out: &mut Tensor, f: impl Fn() -> O + Sync) -> Result<()> {
    nullary_indexed(out, move |_| f())
}

/// Writes `f(i)` to every element, where `i` counts them in row-major order.
///
/// # Errors
///
/// As [`nullary`].
///
/// ```
/// use opwright_runtime::{DType, Device, Tensor, iterate};
///
/// let mut numbers = Tensor::allocate(&[2, 2], DType::Int64, Device::Cpu)?;
/// iterate::nullary_indexed(&mut numbers, |i| i as i64)?;
/// assert_eq!(numbers.to_vec::<i64>()?, [0, 1, 2, 3]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn nullary_indexed<O: Element>(out: &mut Tensor, f: impl Fn(usize) -> O + Sync) -> Result<()> {
    Job::new(&[(out, O::DTYPE)], &[]).in_order().run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of one output of type `O`.
        unsafe { inner::nullary(&f, run.position, inner::target(run, 0)) }
    })
}

/// Writes `f(a)` to every element.
///
/// # Errors
///
/// `Runtime` if an input does not stretch to the shape of the output, if the
/// output reaches an element twice, or if it overlaps an input in part;
/// `NotImplemented` if a tensor is on the meta device.
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let x = Tensor::from_slice(&[3], &[1.0, 4.0, 9.0])?;
/// let mut out = x.copy()?;
/// iterate::unary(&x, &mut out, f64::sqrt)?;
/// assert_eq!(out.to_vec::<f64>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn unary<A: Element, O: Element>(
    a: &Tensor,
    out: &mut Tensor,
    f: impl Fn(A) -> O + Sync,
) -> Result<()> {
    Job::new(&[(out, O::DTYPE)], &[(a, A::DTYPE)]).run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { inner::unary::<A, O, _>(&f, run) }
    })
}

/// Writes `f(a, b)` to every element.
///
/// # Errors
///
/// As [`unary`].
///
/// ```
/// use opwright_runtime::{DType, Device, Tensor, iterate};
///
/// let x = Tensor::from_slice(&[2], &[3.0, 6.0])?;
/// // A tensor of another dtype is cast to what the function takes, one of another shape stretched.
/// let y = Tensor::from_slice(&[1], &[4_i32])?;
/// let mut is_less = Tensor::allocate(&[2], DType::Bool, Device::Cpu)?;
/// iterate::binary(&x, &y, &mut is_less, |x: f64, y: f64| x < y)?;
/// assert_eq!(is_less.to_vec::<bool>()?, [true, false]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn binary<A: Element, B: Element, O: Element>(
    a: &Tensor,
    b: &Tensor,
    out: &mut Tensor,
    f: impl Fn(A, B) -> O + Sync,
) -> Result<()> {
    let inputs = [(a, A::DTYPE), (b, B::DTYPE)];
    Job::new(&[(out, O::DTYPE)], &inputs).at_any_distance().run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { inner::binary::<A, B, O, _>(&f, run) }
    })
}

/// Writes `f(a, b, c)` to every element.
///
/// # Errors
///
/// As [`unary`].
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let a = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// let mut out = a.copy()?;
/// iterate::ternary(&a, &a, &a, &mut out, |a: f64, b: f64, c: f64| a * b + c)?;
/// assert_eq!(out.to_vec::<f64>()?, [2.0, 6.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn ternary<A: Element, B: Element, C: Element, O: Element>(
    a: &Tensor,
    b: &Tensor,
    c: &Tensor,
    out: &mut Tensor,
    f: impl Fn(A, B, C) -> O + Sync,
) -> Result<()> {
    let inputs = [(a, A::DTYPE), (b, B::DTYPE), (c, C::DTYPE)];
    Job::new(&[(out, O::DTYPE)], &inputs).run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { inner::ternary::<A, B, C, O, _>(&f, run) }
    })
}

/// Writes both results of `f(a)` to every element of two outputs.
///
/// # Errors
///
/// As [`unary`]; the outputs must have one shape and may not overlap.
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let x = Tensor::from_slice(&[2], &[1.5, -0.25])?;
/// let (mut whole, mut rest) = (x.copy()?, x.copy()?);
/// iterate::unary_pair(&x, (&mut whole, &mut rest), |x: f64| (x.trunc(), x.fract()))?;
/// assert_eq!(whole.to_vec::<f64>()?, [1.0, 0.0]);
/// assert_eq!(rest.to_vec::<f64>()?, [0.5, -0.25]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn unary_pair<A: Element, O: Element, P: Element>(
    a: &Tensor,
    out: (&mut Tensor, &mut Tensor),
    f: impl Fn(A) -> (O, P) + Sync,
) -> Result<()> {
    Job::new(&[(out.0, O::DTYPE), (out.1, P::DTYPE)], &[(a, A::DTYPE)]).run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { inner::unary_pair::<A, O, P>(&f, run) }
    })
}

/// Writes both results of `f(a, b)` to every element of two outputs.
///
/// # Errors
///
/// As [`unary_pair`].
///
/// ```
/// use opwright_runtime::{Tensor, iterate};
///
/// let x = Tensor::from_slice(&[2], &[3.0, 1.0])?;
/// let y = Tensor::from_slice(&[2], &[2.0, 2.0])?;
/// let (mut low, mut high) = (x.copy()?, x.copy()?);
/// iterate::binary_pair(&x, &y, (&mut low, &mut high), |x: f64, y: f64| (x.min(y), x.max(y)))?;
/// assert_eq!((low.to_vec::<f64>()?, high.to_vec::<f64>()?), (vec![2.0, 1.0], vec![3.0, 2.0]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn binary_pair<A: Element, B: Element, O: Element, P: Element>(
    a: &Tensor,
    b: &Tensor,
    out: (&mut Tensor, &mut Tensor),
    f: impl Fn(A, B) -> (O, P) + Sync,
) -> Result<()> {
    let outputs = [(&*out.0, O::DTYPE), (&*out.1, P::DTYPE)];
    Job::new(&outputs, &[(a, A::DTYPE), (b, B::DTYPE)]).run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these types.
        unsafe { inner::binary_pair::<A, B, O, P>(&f, run) }
    })
}

/// The element at an address.
///
/// # Safety
///
/// There is an initialised one, of type `T`.
#[inline(always)]
pub(crate) unsafe fn load<T: Element>(at: *const u8) -> T {
    // SAFETY: as above.
    T::from_stored(unsafe { at.cast::<T::Stored>().read() })
}

/// Copies, casting from dtype to dtype.
pub(crate) fn copy(source: &Tensor, out: &mut Tensor) -> Result<()> {
    if transpose::copy(source, out)? {
        return Ok(());
    }
    let (from, to) = (source.dtype(), out.dtype());
    let cast = cast_loop(from, to);
    Job::new(&[(out, to)], &[(source, from)]).at_any_distance().run(&|run: &Run<'_>| {
        // SAFETY: the driver hands out runs of operands of these dtypes.
        unsafe { cast(run.ptrs[0], run.strides[0], run.ptrs[1], run.strides[1], run.count) }
    })
}
