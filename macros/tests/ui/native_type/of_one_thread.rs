#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use std::cell::Cell;

use opwright_macros::native_type;

#[native_type]
#[derive(Clone)]
enum Line {
    Straight(Cell<f64>),
}

fn main() {
    let Line::Straight(_) = Line::Straight(Cell::new(1.0));
}
