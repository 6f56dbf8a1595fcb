#[path = "../fixture/interval.rs"]
mod interval;
#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use interval::Interval;
use opwright_jit::native::{Cast, Error, run};
use opwright_jit_macros::cast;

type Fallible<T> = std::result::Result<T, Error>;

// What expansions must not take for their own.
#[allow(dead_code)]
struct Result;
#[allow(dead_code, non_camel_case_types)]
struct u64;

/// By reference.
#[cast]
fn least(of: &Interval) -> f64 {
    of.lo
}

// By value, to a narrow number.
#[cast]
fn is_open(of: Interval) -> bool {
    of.is_open
}

#[cast]
fn from(lo: f32) -> Fallible<Interval> {
    if lo.is_nan() {
        return Err(Error::value("no number"));
    }
    Ok(Interval { lo: lo.into(), is_open: true })
}

#[cast]
fn opened(of: Interval) -> Interval {
    assert!(!of.is_open, "open");
    Interval { is_open: true, ..of }
}

fn converted<const MADE: usize>(
    row: Cast,
    words: &[std::primitive::u64],
) -> Fallible<[std::primitive::u64; MADE]> {
    let mut results = [0; MADE];
    // SAFETY: the tests pass as many words as the types have.
    unsafe { run(row.call, words, &mut results) }?;
    Ok(results)
}

fn main() {
    let row = least::CAST;
    assert_eq!((row.source.name(), row.target.name()), ("Interval", "float64"));
    assert!(row.place.starts_with("least (") && row.place.contains("casts.rs:"));
    let half = 0.5_f64.to_bits();
    assert_eq!(converted(least::CAST, &[half, 0]).unwrap(), [half]);
    assert_eq!(converted(is_open::CAST, &[half, 1]).unwrap(), [1]);
    let word = |it: f32| std::primitive::u64::from(it.to_bits());
    assert_eq!(converted(from::CAST, &[word(0.5)]).unwrap(), [half, 1]);
    assert_eq!(converted(opened::CAST, &[half, 0]).unwrap(), [half, 1]);

    let failed = converted::<2>(from::CAST, &[word(f32::NAN)]).unwrap_err();
    assert_eq!(failed.message(), "no number");
    let failed = converted::<2>(opened::CAST, &[half, 1]).unwrap_err();
    assert_eq!(failed.message(), "a function of Rust panicked");
}
