use opwright_macros::native_type;

#[native_type]
struct Line<T> {
    slope: T,
}

fn main() {
    let Line { slope: _ } = Line { slope: 1.0 };
}
