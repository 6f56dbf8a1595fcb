//! Division under its older name.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

#[native_op(true_divide.Tensor)]
fn true_divide_tensor(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    ops::div::Tensor::call(self_, other)
}

#[native_op(true_divide_.Tensor)]
fn true_divide_inplace_tensor(self_: &mut Tensor, other: &Tensor) -> Result<()> {
    ops::div_::Tensor::call(self_, other)
}

#[native_op(true_divide.out)]
fn true_divide_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    ops::div::out::call(self_, other, out)
}

#[native_op(true_divide.Scalar)]
fn true_divide_scalar(self_: &Tensor, other: Scalar) -> Result<Tensor> {
    ops::div::Scalar::call(self_, other)
}

#[native_op(true_divide_.Scalar)]
fn true_divide_inplace_scalar(self_: &mut Tensor, other: Scalar) -> Result<()> {
    ops::div_::Scalar::call(self_, other)
}
