use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

#[native_op("double(Tensor x) -> Tensor", structured = elementwse)]
fn double(_x: &Tensor, _out: &mut Tensor) -> Result<()> {
    Ok(())
}

fn main() {}
