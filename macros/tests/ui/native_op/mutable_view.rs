use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1, ArrayViewMut1};

#[native_op("double(Tensor x, Tensor y) -> Tensor", dtypes = floating)]
fn double<T: Float>(x: ArrayView1<'_, T>, mut y: ArrayViewMut1<'_, T>) {
    y.assign(&x);
}

fn main() {}
