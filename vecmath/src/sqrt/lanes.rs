//! Square roots by Newton–Raphson steps with a correctly rounded last step (Markstein).
//!
//! The processor's own instruction waits for one root after the other. Where vectors have 64 bytes,
//! an estimate of 14 bits that is made exact by FMA takes half of the time. The last
//! step, `g + (x - g²) / (2 √x)` with one rounding, gives the root nearest to the exact one, so that
//! the bits are the same everywhere: P. Markstein, Computation of elementary functions on the IBM
//! RISC System/6000 processor, 1990. The tests try all numbers whose root is so near to the middle
//! between two others that it could be missed.

use crate::simd::lanes::{F32s, F64s, Lanes, Mask};

/// Of `f32`. From `1e-20` on, what is missing of the square is no subnormal number.
#[inline(always)]
pub(crate) fn sqrt_f32<V: F32s>(x: V) -> V {
    sqrt(x, 1e-20, f32::MAX.into(), 1)
}

/// Of `f64`, as of `f32`.
#[inline(always)]
pub(crate) fn sqrt_f64<V: F64s>(x: V) -> V {
    sqrt(x, 1e-270, f64::MAX, 2)
}

#[inline(always)]
fn sqrt<V: Lanes>(x: V, least: f64, most: f64, steps: usize) -> V {
    let is_beyond = x.lt(V::constant(least)) | x.not_le(V::constant(most));
    if is_beyond.any() {
        return x.sqrt();
    }
    let half = V::constant(0.5);
    // 1. The root and half of its reciprocal, to 14 bits.
    let estimate = x.rsqrt_approx();
    let (mut g, mut h) = (x * estimate, estimate * half);
    // 2. Each step doubles the bits.
    for _ in 0..steps {
        let r = g.neg_mul_add(h, half);
        (g, h) = (g.mul_add(r, g), h.mul_add(r, h));
    }
    // 3. What is missing of the square is known exactly.
    g.neg_mul_add(g, x).mul_add(h, g)
}
