#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op(extremes.out)]
fn extremes_out(_self_: &Tensor, _dim: i64, _low: &mut Tensor, high: Tensor) -> Result<()> {
    drop(high);
    Ok(())
}

fn main() {}
