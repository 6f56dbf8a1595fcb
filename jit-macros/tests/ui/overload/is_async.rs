#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
async fn later(x: f64) -> f64 {
    x
}

fn main() {}
