//! Types of a crate, among names that mean something else.

#![no_implicit_prelude]

#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use ::opwright_macros::native_type;
use ::opwright_runtime::op::{Given, NativeType, Value};
use ::std::prelude::rust_2024::derive;
use ::std::{assert_eq, panic};

#[allow(dead_code)]
struct Result;
#[allow(dead_code)]
mod rt {}
#[allow(dead_code)]
mod core {}

/// A line through zero.
#[native_type]
#[derive(::std::clone::Clone)]
struct Line {
    slope: f64,
}

#[native_type]
#[derive(::std::clone::Clone)]
enum Side {
    Left,
}

fn main() {
    assert_eq!((<Line as NativeType>::NAME, <Side as NativeType>::NAME), ("Line", "Side"));
    let ::std::result::Result::Ok(Value::Native(value)) = (Line { slope: 2.0 }).given() else {
        panic!("it is one of the crate's")
    };
    assert_eq!(value.get::<Line>().map(|it| it.slope), ::std::option::Option::Some(2.0));
    let _ = Side::Left.given();
}
