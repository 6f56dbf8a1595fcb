use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op(signature, elementwise, dtypes = floating)]
fn sum_of_four<T: Float>(a: T, b: T, c: T, d: T) -> T {
    a + b + c + d
}

fn main() {}
