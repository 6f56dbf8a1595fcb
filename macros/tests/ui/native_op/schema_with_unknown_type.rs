#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op("hypot(Tensor x, Tensr y) -> Tensor")]
fn hypot(x: &Tensor, _y: &Tensor) -> Result<Tensor> {
    Ok(x.clone())
}

fn main() {}
