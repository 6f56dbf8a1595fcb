use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op(signature, elementwise, dtypes = floating)]
fn sum_of_nine<T: Float>(a: T, b: T, c: T, d: T, e: T, f: T, g: T, h: T, i: T) -> T {
    a + b + c + d + e + f + g + h + i
}

fn main() {}
