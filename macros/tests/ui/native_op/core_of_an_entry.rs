use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1};

#[native_op(hypot, core = "(),()->()", dtypes = floating)]
fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

#[native_op(signature, core = "(n)->()", dtypes = floating)]
fn total<T: Float>(x: ArrayView1<'_, T>) -> T {
    x[0]
}

fn main() {}
