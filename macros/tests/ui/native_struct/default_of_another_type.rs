#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
struct Interval {
    lo: f64,
    #[field(default = "one")]
    hi: f64,
}

impl opwright_runtime::op::NativeType for Interval {
    const NAME: &'static str = "Interval";
}

fn main() {}
