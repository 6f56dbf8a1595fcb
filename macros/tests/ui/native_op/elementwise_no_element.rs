#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;

#[native_op("scale(Tensor x, float by) -> Tensor", elementwise)]
fn scale(x: u128, _by: f64) -> u128 {
    x
}

fn main() {}
