use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op(
    "double.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
    elementwise,
    dtypes = floating
)]
fn double<T: Float>(x: T, _out: T) -> T {
    x + x
}

fn main() {}
