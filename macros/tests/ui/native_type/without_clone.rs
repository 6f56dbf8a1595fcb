#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_type;

#[native_type]
struct Line {
    slope: f64,
}

fn main() {
    let Line { slope: _ } = Line { slope: 1.0 };
}
