#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
struct Mean;

fn main() {}
