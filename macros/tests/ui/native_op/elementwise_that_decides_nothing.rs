use opwright_macros::native_op;
use opwright_runtime::dtype::Float;

#[native_op("chosen(Tensor mask) -> Tensor", elementwise, dtypes = floating)]
fn chosen<T: Float>(mask: bool) -> T {
    if mask { T::ONE } else { T::ZERO }
}

fn main() {}
