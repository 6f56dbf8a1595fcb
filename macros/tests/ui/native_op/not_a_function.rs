#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::Tensor;

#[native_op(add.Tensor)]
struct Sum(Tensor);

fn main() {}
