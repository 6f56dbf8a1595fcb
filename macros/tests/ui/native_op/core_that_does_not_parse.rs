use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1};

#[native_op("total(Tensor x) -> Tensor", core = "(n)-(n)", dtypes = floating)]
fn total<T: Float>(x: ArrayView1<'_, T>) -> T {
    x.sum()
}

fn main() {}
