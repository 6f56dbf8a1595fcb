use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1};

#[native_op("f(Tensor x) -> Tensor", core = "(n)->()", elementwise, dtypes = floating)]
fn f<T: Float>(x: ArrayView1<'_, T>) -> T {
    x[0]
}

fn main() {}
