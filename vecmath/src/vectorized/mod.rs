//! Functions of floating numbers without calls and branches, so that loops over
//! them become vector instructions.
//!
//! Results differ from the nearest numbers by at most one unit in the last place, or two of `tanh`
//! and `erfc`. Sine, cosine and tangent are right where `is_usual` says so, remainders where
//! `has_usual_quotient` does.
//!
//! What is called usual is the same without what zeros, infinities and the like take: it is right for
//! numbers of which `usual` says so, and gives the same bits for them.
//!
//! Where `FUSED` is true, `mul_add` is one instruction: polynomials are shorter then, what is lost
//! of a product is known at once, and more functions of `f32` need no `f64`.
//!
//! For processors with AVX-512, some of them are made of registers in which tables stand: `wide`.

mod arcs;
pub mod double;
mod error_function;
mod exponential;
mod fused;
mod hyperbolic;
mod logarithm;
mod parts;
mod powers;
mod precision;
mod remainder;
mod round;
pub mod single;
#[cfg(test)]
mod tests;
mod trigonometry;
pub(crate) mod usual;
#[cfg(target_arch = "x86_64")]
pub(crate) mod wide;

pub use self::round::Round;
