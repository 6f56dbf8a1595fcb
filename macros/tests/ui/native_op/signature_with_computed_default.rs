use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op(signature = (x, count = usize::BITS))]
fn repeat_each(x: &Tensor, _count: i64) -> Result<Tensor> {
    Ok(x.clone())
}

fn main() {}
