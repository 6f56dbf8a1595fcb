#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Scalar, Tensor};

#[native_op(add.Tensor)]
fn add_tensor(_self_: &Tensor, _other: &Tensor, _alpha: Scalar) {}

fn main() {}
