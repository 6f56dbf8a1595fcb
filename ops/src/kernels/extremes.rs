//! The greater and the lesser of two.

use opwright_macros::native_op;
use opwright_runtime::dtype::Ordered;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;

#[native_op(maximum.out)]
pub(crate) fn maximum_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "maximum", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| greater(a, b))
    })
}

#[native_op(minimum.out)]
pub(crate) fn minimum_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "minimum", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| lesser(a, b))
    })
}

#[native_op(fmax.out)]
fn fmax_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "fmax", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| greater_number(a, b))
    })
}

#[native_op(fmin.out)]
fn fmin_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "fmin", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| lesser_number(a, b))
    })
}

/// The greater of two, or NaN if one of them is.
#[inline(always)]
pub(crate) fn greater<T: Ordered>(a: T, b: T) -> T {
    if a.is_not_a_number() || a > b { a } else { b }
}

/// The lesser of two, or NaN if one of them is.
#[inline(always)]
pub(crate) fn lesser<T: Ordered>(a: T, b: T) -> T {
    if a.is_not_a_number() || a < b { a } else { b }
}

/// The greater of two, passing over NaN.
#[inline(always)]
fn greater_number<T: Ordered>(a: T, b: T) -> T {
    if b.is_not_a_number() || a > b { a } else { b }
}

/// The lesser of two, passing over NaN.
#[inline(always)]
fn lesser_number<T: Ordered>(a: T, b: T) -> T {
    if b.is_not_a_number() || a < b { a } else { b }
}
