//! SIMD: lanes, and the functions that are calculated by them, for each instruction set that wins by it.
//!
//! An instruction set is one file, which implements [`Lanes`](lanes::Lanes) and lists its functions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod best;
mod functions;
pub(crate) mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod registers;
mod scalar;

pub(crate) use self::best::Best;
pub(crate) use self::functions::Functions;
#[cfg(all(test, target_arch = "x86_64", not(target_env = "msvc")))]
pub(crate) use self::{
    avx2::{Avx2, F32x8, F64x4},
    avx512::{Avx512, F32x16, F64x8},
    functions::{each, each_with, load_at, store_at},
};
