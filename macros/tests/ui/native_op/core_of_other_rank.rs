use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{Array1, ArrayView1, ArrayView2};

#[native_op("times(Tensor x, Tensor y, Tensor z) -> Tensor", core = "(m,n),(n),()->(m)", dtypes = floating)]
fn times<T: Float>(x: ArrayView1<'_, T>, y: T, z: ArrayView2<'_, T>) -> Array1<T> {
    x.mapv(|it| it * y * z[[0, 0]])
}

fn main() {}
