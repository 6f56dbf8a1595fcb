//! Comparisons.

use opwright_macros::native_op;
use opwright_runtime::promote::result_type;
use opwright_runtime::{Result, Scalar, Tensor, iterate};

use super::calculate::calculate;

#[native_op(eq.Tensor_out)]
fn eq_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "eq", all, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a == b)
    })
}

#[native_op(eq.Scalar_out)]
fn eq_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    eq_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(ne.Tensor_out)]
fn ne_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "ne", all, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a != b)
    })
}

#[native_op(ne.Scalar_out)]
fn ne_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ne_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(lt.Tensor_out)]
fn lt_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "lt", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.lt(&b))
    })
}

#[native_op(lt.Scalar_out)]
fn lt_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    lt_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(le.Tensor_out)]
fn le_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "le", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.le(&b))
    })
}

#[native_op(le.Scalar_out)]
fn le_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    le_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(gt.Tensor_out)]
fn gt_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "gt", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.gt(&b))
    })
}

#[native_op(gt.Scalar_out)]
fn gt_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    gt_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}

#[native_op(ge.Tensor_out)]
fn ge_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "ge", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.ge(&b))
    })
}

#[native_op(ge.Scalar_out)]
fn ge_scalar_out(self_: &Tensor, other: Scalar, out: &mut Tensor) -> Result<()> {
    ge_tensor_out(self_, &Tensor::wrapped_number(other)?, out)
}
