use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("double(Tensor x) -> Tensor", elementwise, dtypes = floating)]
fn double<T: Float>(_x: T) {}

fn main() {}
