//! Comparisons.

use opwright_macros::native_op;
use opwright_runtime::promote::result_type;
use opwright_runtime::{Result, Tensor, iterate};

use super::calculate::calculate;

#[native_op(eq.Tensor_out)]
fn eq_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "eq", all, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a == b)
    })
}

#[native_op(ne.Tensor_out)]
fn ne_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "ne", all, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a != b)
    })
}

#[native_op(lt.Tensor_out)]
fn lt_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "lt", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.lt(&b))
    })
}

#[native_op(le.Tensor_out)]
fn le_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "le", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.le(&b))
    })
}

#[native_op(gt.Tensor_out)]
fn gt_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "gt", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.gt(&b))
    })
}

#[native_op(ge.Tensor_out)]
fn ge_tensor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(result_type(&[self_, other])?, "ge", ordered, |T| {
        iterate::binary(self_, other, out, |a: T, b: T| a.ge(&b))
    })
}
