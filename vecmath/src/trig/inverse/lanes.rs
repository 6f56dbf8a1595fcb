//! `atan` and `atan2` of `f64` by table lookup: a known angle whose tangent is near, and a short minimax
//! polynomial for what is beyond. `acos` of `f32` by a minimax polynomial of the arc sine up to 1/2.
//! Errors: 1 ULP.

use std::f32;
use std::f64::consts::PI;
use std::hint::cold_path;

use super::tables::{ANGLES, ANGLES_REST, TANGENTS};
use crate::exp::SHIFT;
use crate::polar;
use crate::simd::lanes::{Bits, F32s, F64s, Mask};

/// A point between the axes as one at an angle that is known, turned by one that is small.
struct Turned<V: F64s> {
    /// The tangent of the small one.
    t: V,
    /// What is lost of it, where it is the whole.
    lost: V,
    /// Where the known one is in the tables.
    indices: V::Bits,
}

impl<V: F64s> Turned<V> {
    /// The angle from the axis on the right: at most a quarter of a turn.
    #[inline(always)]
    fn of(above: V, below: V) -> Turned<V> {
        let is_steep = above.gt(below);
        let (lesser, greater) = (below.min(above), below.max(above));
        let inverse = greater.recip_approx();
        // Near zero is more than elsewhere, so that known angles are great beside what is beyond.
        let beyond = lesser.mul_add(inverse, V::splat(-0.0625));
        let shifted = beyond.mul_add(V::splat(7.9), V::splat(SHIFT));
        let indices = shifted.to_bits();
        let indices = V::Bits::select(is_steep, indices | V::Bits::splat(8), indices);
        let known = V::lookup(&TANGENTS, indices);
        let top = known.neg_mul_add(greater, lesser);
        let bottom = known.mul_add(lesser, greater);
        let t = top / bottom;
        let lost = t.neg_mul_add(bottom, top) * inverse;
        // What is steep is turned back.
        let zero = V::splat(0.0);
        Turned {
            t: V::select(is_steep, zero - t, t),
            lost: V::select(is_steep, zero - lost, lost),
            indices,
        }
    }

    /// The known angle, and by how much the whole is more.
    #[inline(always)]
    fn angle(&self) -> (V, V) {
        /// `(atan(t) / t - 1) / t^2`, where `|t|` is at most 0.126 (Remez' algorithm).
        const TERMS: [f64; 6] = [
            -0.333_333_333_333_325_04,
            0.199_999_999_989_790_26,
            -0.142_857_138_676_940_1,
            0.111_110_323_578_003_85,
            -0.090_833_939_500_849_68,
            0.073_378_163_366_511_6,
        ];

        let z = self.t * self.t;
        let rest = V::lookup(&ANGLES_REST, self.indices) + self.lost;
        let beyond = (self.t * z).mul_add(z.polynomial(&TERMS), rest);
        (V::lookup(&ANGLES, self.indices), self.t + beyond)
    }
}

/// The arc tangent.
#[inline(always)]
pub(crate) fn atan_f64<V: F64s>(x: V) -> V {
    /// From here on it does not change.
    const MOST: f64 = 1e30;

    let a = x.abs().at_most(MOST);
    let (base, beyond) = Turned::of(a, V::splat(1.0)).angle();
    (base + beyond).or_sign_of(x)
}

/// The angle of the point `(x, y)`, if both are [in range](crate::range).
#[inline(always)]
fn atan2_f64_in_range<V: F64s>(y: V, x: V) -> V {
    /// What pi lacks.
    const REST: f64 = 1.224_646_799_147_353_2e-16;

    let (base, beyond) = Turned::of(y.abs(), x.abs()).angle();
    // The same from the axis on the left.
    let pi = V::splat(PI);
    let opposite = pi - base;
    let lost = pi - opposite - base;
    let less = lost + V::splat(REST) - beyond;
    let is_left = x.is_negative();
    let angle = base + beyond;
    V::select(is_left, opposite + less, angle).or_sign_of(y)
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub(crate) fn atan2_f64<V: F64s>(y: V, x: V) -> V {
    let angles = atan2_f64_in_range(y, x);
    let is_special = !(are_in_range(y) & are_in_range(x));
    if is_special.any() {
        cold_path();
        return V::select(is_special, y.by_block_with(x, polar::atan2_one_by_one), angles);
    }
    angles
}

/// As [`atan2`](crate::range::double::atan2).
#[inline(always)]
fn are_in_range<V: F64s>(x: V) -> V::Mask {
    const MOST: u64 = 1e150_f64.to_bits();
    const LEAST: u64 = 1e-150_f64.to_bits();

    x.abs().to_bits().wrapping_sub(V::Bits::splat(LEAST)).le(V::Bits::splat(MOST - LEAST))
}

/// A multiple of half of pi, and what is added to it: the opposite of the arc sine up to 1/2, and
/// beyond twice that of the root of `(1 - |x|) / 2`, with the sign of `x`.
#[inline(always)]
pub(crate) fn acos_f32<V: F32s>(x: V) -> V {
    /// What pi lacks, as a share of it.
    const REST: f32 = -2.782_753_4e-8;

    let (a, half) = (x.abs(), V::splat(0.5));
    let is_large = a.gt(half);
    let is_negative = x.is_negative();
    let (s, beyond) = up_to_half(a, is_large);
    // 1. The multiple, and how many times the arc sine is added
    let base = V::select(is_negative, V::splat(f32::consts::PI), V::splat(0.0));
    let base = V::select(is_large, base, V::splat(f32::consts::FRAC_PI_2));
    let times = V::select(is_large, V::splat(2.0), V::splat(-1.0));
    let times = times.xor_sign_of(x);
    // 2. Their sum, and what is lost of it
    let added = s * times;
    let sum = base + added;
    let lost = base - sum + added;
    let low = base.mul_add(V::splat(REST), lost);
    sum + beyond.mul_add(times, low)
}

/// A number up to 1/2, and how much greater its arc sine is. The number is `a`, or the root of
/// `(1 - a) / 2` if that is large.
#[inline(always)]
fn up_to_half<V: F32s>(a: V, is_large: V::Mask) -> (V, V) {
    /// `(asin(s) / s - 1) / s^2` (Remez' algorithm).
    const TERMS: [f32; 5] = [0.166_667_54, 0.074_952_33, 0.045_478_34, 0.024_141_01, 0.042_230_52];

    let half = V::splat(0.5);
    let z = a * a;
    let z = V::select(is_large, a.neg_mul_add(half, half), z);
    // The root from its inverse with 14 bits, and what this lacks; of zero, both are zero.
    let has_root = is_large & z.to_bits().has(!0);
    let inverse = V::select(has_root, z.rsqrt_approx(), V::splat(0.0));
    let root = z * inverse;
    let missing = root.neg_mul_add(root, z);
    let missing = missing * (inverse * half);
    let s = V::select(is_large, root, a);
    let exact = s + missing;
    (s, (exact * z).mul_add(z.polynomial(&TERMS), missing))
}
