use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op]
fn boxed(x: &Tensor) -> Result<Box<Tensor>> {
    Ok(Box::new(x.clone()))
}

fn main() {}
