#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

struct Adder;

impl Adder {
    #[native_op(add.Tensor)]
    fn add_tensor(&self, other: &Tensor, _alpha: Scalar) -> Result<Tensor> {
        Ok(other.clone())
    }
}

fn main() {}
