#[path = "../fixture/interval.rs"]
mod interval;
#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use interval::Interval;
use opwright_jit_macros::cast;

#[cast]
fn between(lo: f64, is_open: bool) -> Interval {
    Interval { lo, is_open }
}

#[cast(Interval)]
async fn of_any<T>(of: T) -> f64 {
    0.0
}

#[cast]
async fn later<T>(of: T) -> f64 {
    0.0
}

#[cast]
struct NoFunction;

fn main() {}
