use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op("double(Tensor x, int count=1.5) -> Tensor")]
fn double(x: &Tensor, _count: i64) -> Result<Tensor> {
    Ok(x.clone())
}

fn main() {}
