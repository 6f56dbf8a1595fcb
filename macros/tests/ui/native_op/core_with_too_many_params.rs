use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{ArrayView1, ArrayViewMut1};

#[native_op("f(Tensor x) -> Tensor", core = "(n)->(n)", dtypes = floating)]
fn f<T: Float>(x: ArrayView1<'_, T>, by: f64, mut y: ArrayViewMut1<'_, T>) {
    y.fill(x[0] * T::constant(by));
}

fn main() {}
