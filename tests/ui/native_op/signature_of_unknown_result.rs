use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

struct Shape;

#[native_op]
fn shape_of(_x: &Tensor) -> Result<Shape> {
    Ok(Shape)
}

fn main() {}
