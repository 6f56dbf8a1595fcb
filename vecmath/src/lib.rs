//! Elementary and special functions of floating-point numbers, one number or a block at a time, for
//! each instruction set.
//!
//! Files are named after the functions they have: `exp`, `log`, `pow`, `trig`, `hyperbolic`, `erf`.
//! In each of these there are three methods of argument reduction and approximation:
//!
//! - `mod.rs`: minimax polynomials in `f64`, without calls and branches, so that loops over them become
//!   vector instructions. Results of `f32` are rounded from `f64`.
//! - `fma.rs`: minimax polynomials in `f32`, exact enough where `mul_add` is one instruction.
//! - `lanes.rs`: table lookups over lanes (`simd`), which are faster and nearer to the exact results
//!   for nearly all functions where tables are registers, and for some of `f64` wherever there is FMA.
//!
//! Results differ from the correctly rounded ones by at most 1 ULP, or 2 of `tanh`, `erfc` and `sigmoid`.
//! `gamma`, `bessel`, `normal` and `orthogonal` have functions of `f64` alone, one number at a time,
//! which say how far they are off.
//! Functions whose names end in `_in_range` leave out what zeros, infinities, NaN and subnormal numbers
//! take: they are right where `range` says so, and give the same bits there.
//!
//! The crate knows neither tensors nor operators: the runtime takes the instruction sets from here, and
//! the operators their functions. A trait says what a function is for each type of number, and a
//! function of blocks of elements, which [`multiversion!`] compiles for each [`Isa`], is what a loop
//! calls.

#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unused_imports, reason = "AVX-512 alone is faster by some functions")
)]

pub mod bessel;
pub mod blocks;
mod chebyshev;
pub mod double;
mod double_double;
pub mod elementary;
mod erf;
mod exp;
pub mod gamma;
mod hyperbolic;
pub mod isa;
mod log;
pub mod normal;
pub mod orthogonal;
pub mod polar;
mod pow;
mod precision;
mod range;
mod round;
pub mod scalar;
mod simd;
pub mod single;
pub mod special;
pub mod sqrt;
// They compare with C that MSVC does not compile.
#[cfg(all(test, not(target_env = "msvc")))]
mod tests;
mod trig;

pub use crate::isa::Isa;
pub use crate::round::Round;
