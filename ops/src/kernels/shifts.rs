//! Moving bits up and down.

use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;

#[native_op(bitwise_left_shift.Tensor_out)]
fn bitwise_left_shift_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "bitwise_left_shift", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| up(a, b))
    })
}

#[native_op(bitwise_right_shift.Tensor_out)]
fn bitwise_right_shift_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "bitwise_right_shift", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| down(a, b))
    })
}

/// All bits are moved out by a count that is negative or too large.
#[inline(always)]
fn count<T: Integer>(by: T) -> Option<usize> {
    by.to_usize().filter(|&it| it < T::BITS as usize)
}

#[inline(always)]
fn up<T: Integer>(value: T, by: T) -> T {
    count(by).map_or(T::ZERO, |by| value << by)
}

#[inline(always)]
fn down<T: Integer>(value: T, by: T) -> T {
    // The sign is what is left of a negative number.
    value >> count(by).unwrap_or(T::BITS as usize - 1)
}
