//! Expansions mean what they say whatever names their author has.

#![no_implicit_prelude]
#![allow(non_camel_case_types)]
#![deny(warnings, missing_docs)]

/// What is generated.
#[path = "../fixture/hygiene.rs"]
pub mod ops;
pub use self::ops::*;

mod kernels;

/// Not the one of the prelude.
pub struct Result;
/// Not the one of the prelude.
pub struct Option;
/// Not the runtime's.
pub struct Op;
/// Not the runtime's.
pub struct Tensor;
/// Not the prelude's.
pub trait Clone {}
/// Not the primitive type.
pub struct str;
/// Not the primitive type.
pub struct i64;
/// Not the primitive type.
pub struct bool;
/// Not the crate.
pub mod core {}
/// Not the crate.
pub mod std {}
/// Not the crate.
pub mod opwright_runtime {}

fn main() {}
