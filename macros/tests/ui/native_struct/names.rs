use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
struct Interval {
    #[field(name = "from")]
    lo: f64,
    #[field(name = "lo")]
    hi: f64,
    #[field(name = "lo")]
    end: f64,
}

fn main() {
    let Interval { lo: _, hi: _, end: _ } = Interval { lo: 0.0, hi: 1.0, end: 1.0 };
}
