#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::cast;

#[cast]
fn rounded(x: f64) -> i64 {
    x.round() as i64
}

fn main() {}
