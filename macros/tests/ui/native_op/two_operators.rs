#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

#[native_op(add.Tensor)]
#[native_op(where.self)]
fn add_tensor(self_: &Tensor, _other: &Tensor, _alpha: Scalar) -> Result<Tensor> {
    Ok(self_.clone())
}

fn main() {}
