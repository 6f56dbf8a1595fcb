#[path = "../fixture/interval.rs"]
mod interval;
#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use interval::Interval;
use opwright_jit_macros::cast;

#[cast]
fn shown(of: Interval) -> String {
    of.lo.to_string()
}

fn main() {}
