//! SIMD: lanes, and the functions that are calculated by them, for each instruction set that wins by it.
//!
//! Table lookups take less time than longer polynomials where two registers can be permuted as one
//! table. Elsewhere functions are loops over polynomials, which the compiler vectorizes. An instruction
//! set is one file, which implements [`Lanes`](lanes::Lanes) and lists its functions.

#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod lanes;
#[cfg(test)]
mod scalar;

#[cfg(target_arch = "x86_64")]
pub(crate) use self::avx512::{double, single};
