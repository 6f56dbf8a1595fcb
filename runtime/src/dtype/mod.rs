//! Element types.
//!
//! [`DType`] is the value that a tensor carries; [`Element`] is the Rust type
//! behind it; [`dispatch!`](crate::dispatch!) goes from the one to the other.

mod bind;
mod category;
mod element;
mod enumeration;

pub use opwright_tables::dtype::{Category, TypeCode};

pub use self::category::{
    Bits, ComplexNumber, Float, FloatOrComplex, Integer, Number, Ordered, Real,
};
pub use self::element::Element;
pub use self::enumeration::{DType, default_dtype, set_default_dtype};
