use opwright_macros::native_op;

#[native_op("hypot(Tensor x, Tensor y) -> Tensor", elementwise, dtypes = floating)]
fn hypot(x: f32, y: f32) -> f32 {
    x.hypot(y)
}

fn main() {}
