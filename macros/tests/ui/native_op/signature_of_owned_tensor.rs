use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op(signature)]
fn double(x: Tensor) -> Result<Tensor> {
    Ok(x)
}

fn main() {}
