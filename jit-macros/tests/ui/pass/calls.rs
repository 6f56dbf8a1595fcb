#![no_implicit_prelude]

#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use ::core::clone::Clone;
use ::core::option::Option::None;
use ::core::result::Result::{Err, Ok};
use ::core::{assert, assert_eq, panic};
use ::opwright_jit::native::{NativeFailure, run};
use ::opwright_jit_macros::overload;

type Fallible<T> = ::core::result::Result<T, ::opwright_jit::native::Error>;

// What expansions must not take for their own.
#[allow(dead_code)]
struct Result;
#[allow(dead_code)]
struct Overload;
#[allow(dead_code, non_camel_case_types)]
struct u64;

/// The mean.
#[overload]
fn mean(a: f64, b: f64) -> f64 {
    (a + b) / 2.0
}

#[overload(split)]
fn parts(x: f64) -> (i64, f64) {
    (x.floor() as i64, x - x.floor())
}

#[overload]
fn root(x: f32) -> Fallible<f32> {
    if x < 0.0 {
        return Err(::opwright_jit::native::Error::value("no root"));
    }
    Ok(x.sqrt())
}

#[overload]
fn fails(_x: i8) -> bool {
    panic!("no")
}

#[overload]
fn none() -> i64 {
    7
}

fn main() {
    let row = mean::OVERLOAD;
    assert_eq!((row.name, row.names, row.doc), ("mean", &["a", "b"][..], "The mean."));
    assert_eq!(row.signature(), "float64(float64, float64)");
    let mut results = [0; 2];
    // SAFETY: two arguments, and room for one result.
    let found = unsafe { run(row.call, &[1_f64.to_bits(), 2_f64.to_bits()], &mut results) };
    assert!(found.is_ok());
    assert_eq!(f64::from_bits(results[0]), 1.5);

    let row = parts::OVERLOAD;
    assert_eq!((row.name, &*row.signature()), ("split", "Tuple((int64, float64))(float64)"));
    // SAFETY: one argument, and room for two results.
    unsafe { run(row.call, &[(-1.5_f64).to_bits()], &mut results) }.unwrap();
    assert_eq!((results[0] as i64, f64::from_bits(results[1])), (-2, 0.5));

    // SAFETY: one argument, and room for one result.
    let failed = unsafe { run(root::OVERLOAD.call, &[(-1_f32).to_bits() as _], &mut results) };
    assert_eq!(failed.unwrap_err().message(), "no root");
    // SAFETY: one argument, and room for one result.
    let failed = unsafe { run(fails::OVERLOAD.call, &[0], &mut results) };
    assert_eq!(failed.unwrap_err().message(), "a function of Rust panicked");
    // SAFETY: no argument, and room for one result.
    unsafe { run(none::OVERLOAD.call, &[], &mut results) }.unwrap();
    assert_eq!(results[0], 7);
    let _ = (NativeFailure::NONE.clone(), None::<()>);
}
