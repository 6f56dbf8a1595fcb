#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
fn length(text: &str) -> i64 {
    text.len() as i64
}

fn main() {}
