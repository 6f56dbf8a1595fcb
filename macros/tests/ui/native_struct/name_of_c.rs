use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
#[native(c = "my interval")]
struct Interval {
    lo: f64,
}

fn main() {
    let Interval { lo: _ } = Interval { lo: 0.0 };
}
