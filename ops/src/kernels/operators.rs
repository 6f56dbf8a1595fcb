//! The operators `& | ^ << >>` as functions of their own, under Python's names.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

/// `self & other`; see `bitwise_and`.
///
/// ```python
/// >>> opwright.tensor([6, 5]) & 3
/// tensor([2, 1], dtype=int64, shape=(2,))
/// ```
#[native_op("__and__.Tensor(Tensor self, Tensor other) -> Tensor", composite, method)]
fn and_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_and::Tensor::call(self_, other)
}

#[native_op("__and__.Scalar(Tensor self, Scalar other) -> Tensor", composite, method)]
fn and_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_and::Scalar::call(self_, other)
}

#[native_op(
    "__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn and_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::bitwise_and_::Tensor::call(self_, other)
}

#[native_op(
    "__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn and_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_and_::Scalar::call(self_, other)
}

/// `self | other`; see `bitwise_or`.
///
/// ```python
/// >>> opwright.tensor([6, 5]) | 8
/// tensor([14, 13], dtype=int64, shape=(2,))
/// ```
#[native_op("__or__.Tensor(Tensor self, Tensor other) -> Tensor", composite, method)]
fn or_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_or::Tensor::call(self_, other)
}

#[native_op("__or__.Scalar(Tensor self, Scalar other) -> Tensor", composite, method)]
fn or_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_or::Scalar::call(self_, other)
}

#[native_op(
    "__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn or_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::bitwise_or_::Tensor::call(self_, other)
}

#[native_op(
    "__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn or_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_or_::Scalar::call(self_, other)
}

/// `self ^ other`; see `bitwise_xor`.
///
/// ```python
/// >>> opwright.tensor([6, 5]) ^ 3
/// tensor([5, 6], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "__xor__.Tensor(Tensor self, Tensor other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn xor_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_xor::Tensor::call(self_, other)
}

#[native_op(
    "__xor__.Scalar(Tensor self, Scalar other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn xor_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_xor::Scalar::call(self_, other)
}

#[native_op(
    "__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    composite,
    variants = "method",
    tags = "pointwise"
)]
fn xor_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::bitwise_xor_::Tensor::call(self_, other)
}

#[native_op(
    "__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    composite,
    variants = "method",
    tags = "pointwise"
)]
fn xor_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_xor_::Scalar::call(self_, other)
}

/// `self << other`; see `bitwise_left_shift`.
///
/// ```python
/// >>> opwright.tensor([1, 2]) << 3
/// tensor([ 8, 16], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "__lshift__.Tensor(Tensor self, Tensor other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn lshift_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_left_shift::Tensor::call(self_, other)
}

#[native_op(
    "__lshift__.Scalar(Tensor self, Scalar other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn lshift_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_left_shift::Tensor_Scalar::call(self_, other)
}

#[native_op(
    "__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    composite,
    variants = "method",
    tags = "pointwise"
)]
fn lshift_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::bitwise_left_shift_::Tensor::call(self_, other)
}

#[native_op(
    "__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    composite,
    variants = "method",
    tags = "pointwise"
)]
fn lshift_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_left_shift_::Tensor_Scalar::call(self_, other)
}

/// `self >> other`; see `bitwise_right_shift`.
///
/// ```python
/// >>> opwright.tensor([16, -16]) >> 2
/// tensor([ 4, -4], dtype=int64, shape=(2,))
/// ```
#[native_op(
    "__rshift__.Tensor(Tensor self, Tensor other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn rshift_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::bitwise_right_shift::Tensor::call(self_, other)
}

#[native_op(
    "__rshift__.Scalar(Tensor self, Scalar other) -> Tensor",
    composite,
    method,
    tags = "pointwise"
)]
fn rshift_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::bitwise_right_shift::Tensor_Scalar::call(self_, other)
}

#[native_op(
    "__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn rshift_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::bitwise_right_shift_::Tensor::call(self_, other)
}

#[native_op(
    "__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)",
    composite,
    variants = "method"
)]
fn rshift_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::bitwise_right_shift_::Tensor_Scalar::call(self_, other)
}
