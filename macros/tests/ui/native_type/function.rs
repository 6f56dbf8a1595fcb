use opwright_macros::native_type;

#[native_type]
fn line(slope: f64) -> f64 {
    slope
}

fn main() {
    line(1.0);
}
