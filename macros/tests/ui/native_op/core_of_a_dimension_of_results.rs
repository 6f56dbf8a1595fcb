use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::{Array1, ArrayView1};

#[native_op("ends(Tensor x) -> Tensor", core = "(n)->(k)", dtypes = floating)]
fn ends<T: Float>(x: ArrayView1<'_, T>) -> Array1<T> {
    Array1::from_vec(vec![x[0], x[x.len() - 1]])
}

fn main() {}
