use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{Result, iterate::Each};

#[native_op("scaled(Tensor x, float by, Tensor y) -> Tensor", elementwise, dtypes = floating)]
fn scaled<T: Element + Float>(each: Each<'_, (T, T), T>, by: f64) -> Result<()> {
    each.run(|x, y| x * y * T::constant(by))
}

fn main() {}
