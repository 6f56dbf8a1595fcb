use opwright_macros::native_op;

#[native_op(signature, elementwise)]
fn double(x: f64) -> f64 {
    x + x
}

fn main() {}
