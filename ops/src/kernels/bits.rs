//! Bits of integers and of truth values.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, iterate};

use super::calculate::calculate;
use crate::ops;

#[native_op(bitwise_and.Tensor_out)]
fn bitwise_and_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_and", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a & b)
    })
}

#[native_op(bitwise_and.Scalar)]
fn bitwise_and_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_and::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_and_.Scalar)]
fn bitwise_and_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_and_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_and.Scalar_out)]
fn bitwise_and_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ops::bitwise_and::Tensor_out::call(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(bitwise_and.Scalar_Tensor)]
fn bitwise_and_scalar_tensor(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_and::Tensor::call(&Tensor::wrapped_number(self_)?, other)
}

#[native_op(bitwise_or.Tensor_out)]
fn bitwise_or_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_or", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a | b)
    })
}

#[native_op(bitwise_or.Scalar)]
fn bitwise_or_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_or::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_or_.Scalar)]
fn bitwise_or_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_or_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_or.Scalar_out)]
fn bitwise_or_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ops::bitwise_or::Tensor_out::call(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(bitwise_or.Scalar_Tensor)]
fn bitwise_or_scalar_tensor(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_or::Tensor::call(&Tensor::wrapped_number(self_)?, other)
}

#[native_op(bitwise_xor.Tensor_out)]
fn bitwise_xor_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_xor", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a ^ b)
    })
}

#[native_op(bitwise_xor.Scalar)]
fn bitwise_xor_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_xor::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_xor_.Scalar)]
fn bitwise_xor_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_xor_::Tensor::call(self_, &Tensor::wrapped_number(other)?)
}

#[native_op(bitwise_xor.Scalar_out)]
fn bitwise_xor_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ops::bitwise_xor::Tensor_out::call(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(bitwise_xor.Scalar_Tensor)]
fn bitwise_xor_scalar_tensor(self_: Scalar, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_xor::Tensor::call(&Tensor::wrapped_number(self_)?, other)
}

#[native_op(bitwise_not.out, rule)]
fn bitwise_not_rule(self_: &Tensor) -> Result<Spec> {
    ensure!(
        self_.dtype().is_integral() || self_.dtype() == DType::Bool,
        Type,
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    );
    rule::elementwise(&[self_])
}

#[native_op(bitwise_not.out)]
fn bitwise_not_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_not", bits, |T| iterate::unary(self_, out, |a: T| !a))
}
