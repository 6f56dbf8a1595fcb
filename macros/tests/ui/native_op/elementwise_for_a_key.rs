use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("double(Tensor x) -> Tensor", elementwise, dtypes = floating, key = Meta)]
fn double<T: Float>(x: T) -> T {
    x + x
}

fn main() {}
