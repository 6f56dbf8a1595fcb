//! SIMD: lanes, and the functions that are calculated by them, for each instruction set that wins by it.
//!
//! With AVX-512, where two registers are permuted as one table, table lookups take less time than longer
//! polynomials for most functions. With FMA alone, where a lookup is a load for each number, they do for
//! `sin`, `cos`, `tan`, `atan` and `erf` of `f64`, and are nearer to the exact results: those are loops over
//! lanes of one number, which the compiler vectorizes. An instruction set is one file, which implements
//! [`Lanes`](lanes::Lanes) and lists its functions.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg_attr(
    not(any(target_arch = "x86_64", test)),
    expect(dead_code, reason = "some need registers")
)]
pub(crate) mod lanes;
mod scalar;

#[cfg(target_arch = "x86_64")]
pub(crate) use self::avx512::{double, single};
