//! Logic: everything but 0 is true.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, iterate};

// Loops cast to `bool` on the way in, so nothing here depends on the dtype.

#[native_op(logical_and.out)]
fn logical_and_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(self_, other, out, |a: bool, b: bool| a & b)
}

#[native_op(logical_or.out)]
fn logical_or_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(self_, other, out, |a: bool, b: bool| a | b)
}

#[native_op(logical_xor.out)]
fn logical_xor_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(self_, other, out, |a: bool, b: bool| a ^ b)
}

#[native_op(logical_not.out)]
fn logical_not_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::unary(self_, out, |a: bool| !a)
}
