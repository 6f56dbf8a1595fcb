use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("hypot(Tensor x, Tensor y) -> Tensor", elementwise, dtypes = [])]
fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

fn main() {}
