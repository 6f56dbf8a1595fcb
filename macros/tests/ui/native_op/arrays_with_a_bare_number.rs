use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{Array1, ArrayView1};

#[native_op(signature, dtypes = floating)]
fn moved<T: Float>(x: ArrayView1<'_, T>, by: T) -> Array1<T> {
    x.mapv(|it| it + by)
}

fn main() {}
