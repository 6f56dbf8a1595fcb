//! Bits of integers and of truth values.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Spec, Tensor, ensure, iterate};

use super::calculate::calculate;

#[native_op(bitwise_and.Tensor_out)]
fn bitwise_and_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_and", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a & b)
    })
}

#[native_op(bitwise_or.Tensor_out)]
fn bitwise_or_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_or", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a | b)
    })
}

#[native_op(bitwise_xor.Tensor_out)]
fn bitwise_xor_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "bitwise_xor", bits, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a ^ b)
    })
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
