#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload(name = "mean")]
fn mean(a: f64, b: f64) -> f64 {
    (a + b) / 2.0
}

fn main() {}
