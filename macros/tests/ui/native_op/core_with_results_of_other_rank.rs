use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{Array1, Array2, ArrayView1, ArrayViewMut2};

#[native_op("f(Tensor x) -> (Tensor, Tensor)", core = "(n)->(n),()", dtypes = floating)]
fn f<T: Float>(x: ArrayView1<'_, T>) -> (Array2<T>, Array1<T>) {
    (x.to_owned().insert_axis(opwright_runtime::ndarray::Axis(0)), x.to_owned())
}

#[native_op("g(Tensor x) -> Tensor", core = "(n)->(n)", dtypes = floating)]
fn g<T: Float>(x: ArrayView1<'_, T>, mut y: ArrayViewMut2<'_, T>) {
    y.fill(x[0]);
}

fn main() {}
