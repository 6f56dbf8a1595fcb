#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Element, Result, Scalar, Tensor};

#[native_op(add.Tensor)]
fn add_tensor<T: Element>(self_: &Tensor, _other: &Tensor, _alpha: Scalar) -> Result<Tensor> {
    self_.to_dtype(T::DTYPE)
}

fn main() {}
