#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_jit_macros::overload;

#[overload]
fn twice<T: std::ops::Add<Output = T> + Copy>(x: T) -> T {
    x + x
}

fn main() {}
