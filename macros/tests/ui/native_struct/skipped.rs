use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
struct Interval {
    lo: f64,
    #[field(skip)]
    hi: f64,
    #[field(skip, set, name = "middle", default = 0.5)]
    mid: f64,
}

fn main() {
    let Interval { lo: _, hi: _, mid: _ } = Interval { lo: 0.0, hi: 1.0, mid: 0.5 };
}
