#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op("scale(Tensor x, float by) -> Tensor", structured = elementwise)]
fn scale(x: &Tensor, _by: f64) -> Result<Tensor> {
    Ok(x.clone())
}

fn main() {}
