use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::{Result, iterate::Each};

#[native_op(signature, elementwise, dtypes = floating)]
fn doubled<T: Element + Float>(each: Each<'_, T, T>) -> Result<()> {
    each.run(|x| x + x)
}

fn main() {}
