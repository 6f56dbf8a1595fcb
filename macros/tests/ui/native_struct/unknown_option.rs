use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
#[native(froze)]
struct Interval {
    #[field(deflaut = 1.0)]
    lo: f64,
    #[field(set, set)]
    hi: f64,
}

fn main() {
    let Interval { lo: _, hi: _ } = Interval { lo: 0.0, hi: 1.0 };
}
