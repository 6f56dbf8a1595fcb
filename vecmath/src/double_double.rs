//! Double-double arithmetic: sums and products of `f64` with what is lost of them (Knuth, Dekker).

use crate::precision::Precision;

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
