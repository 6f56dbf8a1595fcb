//! Functions of floating numbers without calls and branches, so that loops over
//! them become vector instructions.
//!
//! Results differ from the exact ones by at most one unit in the last place, or two of `tanh`
//! and `erfc`. Sine, cosine and tangent are right where `is_usual` says so.

mod arcs;
pub(crate) mod double;
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
pub(crate) mod single;
#[cfg(test)]
mod tests;
mod trigonometry;

pub(crate) use self::round::Round;
