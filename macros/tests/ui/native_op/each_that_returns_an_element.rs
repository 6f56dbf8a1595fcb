use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::iterate::Each;

#[native_op("doubled(Tensor x) -> Tensor", elementwise, dtypes = floating)]
fn doubled<T: Element + Float>(_: Each<'_, T, T>) -> T {
    T::ZERO
}

fn main() {}
