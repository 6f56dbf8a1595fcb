use opwright_macros::NativeType;

#[derive(NativeType, Clone, PartialEq)]
enum Side {
    Left,
    Right,
}

#[derive(NativeType, Clone, PartialEq)]
struct Pair(f64, f64);

#[derive(NativeType, Clone, PartialEq)]
struct Of<T> {
    it: T,
}

fn main() {
    let (Side::Left | Side::Right) = Side::Left;
    let (Pair(_, _), Of { it: _ }) = (Pair(0.0, 1.0), Of { it: 1 });
}
