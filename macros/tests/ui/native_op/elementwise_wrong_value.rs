#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("scale(Tensor x, float by) -> Tensor", elementwise, dtypes = floating)]
fn scale<T: Float>(x: T, _by: i64) -> T {
    x
}

fn main() {}
