use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op]
fn double(&_: &Tensor) -> Result<Tensor> {
    unreachable!()
}

fn main() {}
