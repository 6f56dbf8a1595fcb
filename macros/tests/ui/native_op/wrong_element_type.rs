#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op(split_at)]
fn split_at(self_: &Tensor, _at: &[i32], _mode: Option<&str>) -> Result<Vec<Tensor>> {
    Ok(vec![self_.clone()])
}

fn main() {}
