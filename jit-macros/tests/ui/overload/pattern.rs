#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
fn sum((a, b): (f64, f64)) -> f64 {
    a + b
}

fn main() {}
