#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
fn shown(x: f64) -> String {
    x.to_string()
}

fn main() {}
