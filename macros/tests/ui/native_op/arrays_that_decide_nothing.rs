use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::ndarray::Array1;

#[native_op("steps(int count) -> Tensor", dtypes = floating)]
fn steps<T: Float>(count: i64) -> Array1<T> {
    Array1::zeros(count as usize)
}

fn main() {}
