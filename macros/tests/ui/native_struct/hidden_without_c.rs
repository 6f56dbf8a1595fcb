use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
struct Interval {
    lo: f64,
    #[field(hide_c)]
    hi: f64,
}

fn main() {
    let Interval { lo: _, hi: _ } = Interval { lo: 0.0, hi: 1.0 };
}
