use opwright_macros::native_type;

#[native_type("Line")]
struct Straight {
    slope: f64,
}

fn main() {
    let Straight { slope: _ } = Straight { slope: 1.0 };
}
