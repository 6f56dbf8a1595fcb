//! Functions of `f32` in `f32`, exact enough where `mul_add` is one instruction.
//!
//! A result is a sum of two parts until its last addition: what is lost of the greater part, a
//! number that needs no rounding, is known by `mul_add`.

use std::f32::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_E};

use super::single::{SHIFT, power_of_two};

/// A polynomial, its constant term first.
macro_rules! horner {
    ($x:expr, $last:literal) => { $last };
    ($x:expr, $first:literal $($rest:literal)+) => {
        f32::mul_add(horner!($x, $($rest)+), $x, $first)
    };
}

/// The natural logarithm of two, the first part with 15 bits.
const LN_2_PARTS: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// A number as `n * ln(2) + r`, and `|r|` is at most half of `ln(2)`.
struct Reduced {
    n: i32,
    r: f32,
    /// `exp(r) - 1 - r`
    beyond: f32,
}

impl Reduced {
    #[inline(always)]
    fn of(x: f32) -> Reduced {
        let shifted = x.mul_add(LOG2_E, SHIFT);
        let whole = shifted - SHIFT;
        let r = whole.mul_add(-LN_2_PARTS[1], whole.mul_add(-LN_2_PARTS[0], x));
        let p =
            horner!(r, 0.5 0.166_666_67 0.041_666_35 0.008_333_274 0.001_394_117 0.000_199_137_82);
        Reduced { n: bits_of(shifted), r, beyond: r * r * p }
    }

    /// `exp(x) / 2` as a sum of two.
    #[inline(always)]
    fn half_exp(&self) -> (f32, f32) {
        let high = 1.0 + self.r;
        let low = (self.r - (high - 1.0)) + self.beyond;
        (scaled(0.5 * high, self.n), scaled(0.5 * low, self.n))
    }
}

/// The integer that was rounded by adding [`SHIFT`].
#[inline(always)]
fn bits_of(shifted: f32) -> i32 {
    shifted.to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// `y * 2^n`, in two steps because `2^n` alone may not be representable.
#[inline(always)]
fn scaled(y: f32, n: i32) -> f32 {
    let half = n >> 1;
    y * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// NaN stays.
#[inline(always)]
fn clamp(x: f32, least: f32, most: f32) -> f32 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// `e` to the power `x`.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // Beyond these ends the result is 0 or infinite.
    let reduced = Reduced::of(clamp(x, -104.0, 89.0));
    scaled(1.0 + (reduced.r + reduced.beyond), reduced.n)
}

/// Two to the power `x`.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    let x = clamp(x, -151.0, 129.0);
    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    let p = horner!(t, 0.240_226_5 0.055_503_275 0.009_618_006 0.001_340_030_9 0.000_154_759_27);
    scaled(p.mul_add(t, LN_2).mul_add(t, 1.0), bits_of(shifted))
}

/// `exp(x) - 1`.
#[inline(always)]
pub(super) fn expm1(x: f32) -> f32 {
    let Reduced { n, r, beyond } = Reduced::of(clamp(x, -20.0, 89.0));
    // 2^n * (1 + r + beyond) - 1, of half as much because 2^128 is not representable.
    let half = power_of_two(n.wrapping_sub(1));
    let high = half.mul_add(r, half - 0.5);
    let low = half.mul_add(r, (half - 0.5) - high);
    let result = 2.0 * (high + half.mul_add(beyond, low));
    if n == 0 { x + beyond } else { result }
}

/// A positive number as `m * 2^e`, and `m` is between the square roots of 1/2 and 2.
#[inline(always)]
fn split(x: f32) -> (f32, i32) {
    /// The bits of the square root of one half.
    const LEAST: u32 = 0x3f35_04f3;

    let is_subnormal = x < f32::MIN_POSITIVE;
    let (x, by) = if is_subnormal { (x * 33_554_432.0, 25) } else { (x, 0) };
    let above = x.to_bits().wrapping_sub(LEAST);
    let e = (above as i32 >> 23).wrapping_sub(by);
    (f32::from_bits((above & 0x007f_ffff).wrapping_add(LEAST)), e)
}

/// `ln(1 + f) - f`, where `1 + f` is between the square roots of 1/2 and 2.
#[inline(always)]
fn near_one(f: f32) -> f32 {
    let p = horner!(
        f,
        0.333_333_1 -0.249_999_87 0.200_022_27 -0.166_692_51 0.142_186_52 -0.123_843_305
        0.118_730_08 -0.117_899_336 0.069_154_47
    );
    f * f * f.mul_add(p, -0.5)
}

/// `e * of_two[0] + high + (low + e * of_two[1])`, where `high` is not greater than the first
/// summand, unless that is zero.
#[inline(always)]
fn added(e: i32, of_two: [f32; 2], high: f32, low: f32) -> f32 {
    let e = e as f32;
    let sum = e.mul_add(of_two[0], high);
    let lost = e.mul_add(of_two[0], -sum) + high;
    sum + (lost + e.mul_add(of_two[1], low))
}

/// The result, but for what is no positive number.
#[inline(always)]
fn defined(x: f32, result: f32) -> f32 {
    let result = if x == f32::INFINITY || x.is_nan() { x } else { result };
    let result = if x < 0.0 { f32::NAN } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    let (m, e) = split(x);
    let f = m - 1.0;
    defined(x, added(e, LN_2_PARTS, f, near_one(f)))
}

/// `ln(1 + x)`.
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    /// From here on one more does not matter.
    const LARGE: f32 = 1e10;

    let above = 1.0 + x;
    let (m, e) = split(above);
    // x * 2^-e + 2^-e - 1, and what is lost of it.
    let scale = power_of_two(e.wrapping_neg());
    let f = x.mul_add(scale, scale - 1.0);
    let lost = x.mul_add(scale, (scale - 1.0) - f);
    let is_large = x > LARGE;
    let f = if is_large { m - 1.0 } else { f };
    let lost = if is_large { 0.0 } else { lost };
    let low = lost.mul_add(1.0 - f, near_one(f));
    let result = defined(above, added(e, LN_2_PARTS, f, low));
    if x == 0.0 { x } else { result }
}

/// A logarithm to another base: one over that of the base, and the new one of two.
#[inline(always)]
fn to_base(x: f32, inverse: [f32; 2], of_two: [f32; 2]) -> f32 {
    let (m, e) = split(x);
    let f = m - 1.0;
    let high = f * inverse[0];
    let lost = f.mul_add(inverse[1], f.mul_add(inverse[0], -high));
    let low = near_one(f).mul_add(inverse[0], lost);
    defined(x, added(e, of_two, high, low))
}

/// The logarithm to base two.
#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    to_base(x, [LOG2_E, 1.925_963e-8], [1.0, 0.0])
}

/// The logarithm to base ten.
#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    to_base(x, [LOG10_E, -1.010_305e-8], [0.301_025_4, 4.605_039e-6])
}

/// Beyond this `sinh` and `cosh` are infinite.
const MOST: f32 = 89.5;

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let p = horner!(z, 0.166_666_67 0.008_333_350_5 0.000_198_360_66 2.817_439_7e-6);
    let small = (a * z).mul_add(p, a);
    let (high, low) = Reduced::of(clamp(a, 0.0, MOST)).half_exp();
    let large = high + (low - 0.25 / (high + low));
    let y = if a < 1.0 { small } else { large };
    let y = if a >= MOST { f32::INFINITY } else { y };
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh(x: f32) -> f32 {
    let a = x.abs();
    let (high, low) = Reduced::of(clamp(a, 0.0, MOST)).half_exp();
    let y = high + (low + 0.25 / (high + low));
    let y = if a >= MOST { f32::INFINITY } else { y };
    if x.is_nan() { x } else { y }
}

/// The arc tangent.
#[inline(always)]
pub(super) fn atan(x: f32) -> f32 {
    /// What [`FRAC_PI_2`] lacks.
    const REST: f32 = -4.371_139e-8;

    let a = x.abs();
    let is_large = a > 1.0;
    let t = if is_large { a.recip() } else { a };
    let z = t * t;
    let p = horner!(
        z,
        -0.333_333_02 0.199_986_38 -0.142_652_45 0.109_575_72 -0.084_194_46 0.058_234_32
        -0.031_455_47 0.011_064_315 -0.001_827_184_7
    );
    let beyond = t * z * p;
    let y = if is_large { FRAC_PI_2 - (t + (beyond - REST)) } else { t + beyond };
    y.copysign(x)
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let z = x * x;
    let p = horner!(z, -0.333_332_8 0.133_314_42 -0.053_739_716 0.020_639_088 -0.005_704_988_7);
    let small = (p * z).mul_add(x, x);
    let large = 1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0);
    let magnitude = if x.abs() < 0.625 { small.abs() } else { large };
    magnitude.copysign(x)
}

/// The logarithm of what is almost `2 * a` if `a` is large, else of `1 + beyond`.
#[inline(always)]
fn area(a: f32, beyond: f32) -> f32 {
    let is_large = a > 65_536.0;
    let y = ln_1p(if is_large { a - 1.0 } else { beyond });
    if is_large { y + LN_2 } else { y }
}

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(super) fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let root = a.mul_add(a, 1.0).sqrt();
    area(a, a + a * a / (1.0 + root)).copysign(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(super) fn acosh(x: f32) -> f32 {
    let above = x - 1.0;
    let y = area(x, above + above.mul_add(above, 2.0 * above).sqrt());
    if above < 0.0 { f32::NAN } else { y }
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(super) fn atanh(x: f32) -> f32 {
    let a = x.abs();
    let twice = 2.0 * a;
    let near = twice + twice * a / (1.0 - a);
    let far = twice / (1.0 - a);
    (0.5 * ln_1p(if a < 0.5 { near } else { far })).copysign(x)
}
