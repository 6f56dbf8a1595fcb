use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("double(Tensor x) -> Tensor", elementwise, dtypes = floating, structured = elementwise)]
fn double<T: Float>(x: T) -> T {
    x + x
}

fn main() {}
