//! Double-double arithmetic (Knuth, Dekker), and polynomials by Horner's scheme.

use crate::precision::Precision;

/// A polynomial, its constant term first; written out, since a loop in a loop keeps the outer one
/// from becoming vector instructions.
macro_rules! horner {
    ($precision:ty, $x:expr, $last:literal) => { $last };
    ($precision:ty, $x:expr, $first:literal $($rest:literal)+) => {
        mul_add::<$precision>(horner!($precision, $x, $($rest)+), $x, $first)
    };
}

/// The same in `f32`, where `mul_add` is one instruction.
macro_rules! horner_f32 {
    ($x:expr, $last:literal) => { $last };
    ($x:expr, $first:literal $($rest:literal)+) => {
        f32::mul_add(horner_f32!($x, $($rest)+), $x, $first)
    };
}

pub(crate) use {horner, horner_f32};

/// `a * b + c`, rounded once or twice.
#[inline(always)]
pub(crate) fn mul_add<P: Precision>(a: f64, b: f64, c: f64) -> f64 {
    if P::FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Without the lower half of its bits.
#[inline(always)]
pub(crate) fn high_half(a: f64) -> f64 {
    f64::from_bits(a.to_bits() & 0xffff_ffff_f800_0000)
}

/// `a + b`, and what is lost of it (Knuth).
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// The same, where `a` is the greater one, or zero (Dekker).
#[inline(always)]
pub(crate) fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// `a * b`, and what is lost of it (Dekker).
#[inline(always)]
pub(crate) fn two_product<P: Precision>(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    if P::FMA {
        return (product, a.mul_add(b, -product));
    }
    let (c, d) = (high_half(a), high_half(b));
    let (e, f) = (a - c, b - d);
    (product, ((c * d - product) + c * f + e * d) + e * f)
}

/// One over the square root of a positive number, but for 4 %; of zero a finite number.
///
/// Halved bits are almost those of the root, since those of a number are almost its logarithm; the
/// constant is the one with the least error (Lomont, 2003).
#[inline(always)]
pub(crate) fn rsqrt_approx(a: f64) -> f64 {
    f64::from_bits(0x5fe6_eb50_c7b5_37a9_u64.wrapping_sub(a.to_bits() >> 1))
}
