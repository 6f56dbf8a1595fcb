use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("halves(Tensor x) -> (Tensor, Tensor)", elementwise, dtypes = floating)]
fn halves<T: Float>(x: T) -> T {
    x
}

fn main() {}
