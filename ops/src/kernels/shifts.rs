//! Moving bits up and down.

use opwright_macros::native_op;
use opwright_runtime::dtype::Integer;
use opwright_runtime::{Result, Scalar, Tensor, iterate};

use super::calculate::calculate;
use crate::ops;

#[native_op(bitwise_left_shift.Tensor_out)]
fn bitwise_left_shift_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "bitwise_left_shift", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| up(a, b))
    })
}

#[native_op(bitwise_left_shift.Tensor_Scalar)]
fn bitwise_left_shift_tensor_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_left_shift::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_left_shift_.Tensor_Scalar)]
fn bitwise_left_shift_inplace_tensor_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_left_shift_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_left_shift.Tensor_Scalar_out)]
fn bitwise_left_shift_tensor_scalar_out(
    self_: &Tensor,
    other: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    ops::bitwise_left_shift::Tensor_out::call(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(bitwise_left_shift.Scalar_Tensor)]
fn bitwise_left_shift_scalar_tensor(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_left_shift::Tensor::call(&Tensor::wrapped_number(self_)?, other)
}

#[native_op(bitwise_right_shift.Tensor_out)]
fn bitwise_right_shift_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    let (a, b) = (self_.to_dtype(out.dtype())?, other.to_dtype(out.dtype())?);
    calculate!(out.dtype(), "bitwise_right_shift", wide_integral, |T| {
        iterate::binary(&a, &b, out, |a: T, b: T| down(a, b))
    })
}

#[native_op(bitwise_right_shift.Tensor_Scalar)]
fn bitwise_right_shift_tensor_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_right_shift::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_right_shift_.Tensor_Scalar)]
fn bitwise_right_shift_inplace_tensor_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_right_shift_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_right_shift.Tensor_Scalar_out)]
fn bitwise_right_shift_tensor_scalar_out(
    self_: &Tensor,
    other: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    ops::bitwise_right_shift::Tensor_out::call(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(bitwise_right_shift.Scalar_Tensor)]
fn bitwise_right_shift_scalar_tensor(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_right_shift::Tensor::call(&Tensor::wrapped_number(self_)?, other)
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
