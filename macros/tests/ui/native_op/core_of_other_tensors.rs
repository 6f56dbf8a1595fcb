use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1};

#[native_op("dot(Tensor x, Tensor y) -> Tensor", core = "(n)->()", dtypes = floating)]
fn dot<T: Float>(x: ArrayView1<'_, T>, y: ArrayView1<'_, T>) -> T {
    x.iter().zip(y).fold(T::ZERO, |sum, (&x, &y)| sum + x * y)
}

fn main() {}
