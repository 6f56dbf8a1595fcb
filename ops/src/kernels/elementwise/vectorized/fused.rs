//! Functions of `f32` in `f32`, exact enough where `mul_add` is one instruction.
//!
//! A result is a sum of two parts until its last addition: what is lost of the greater part, a
//! number that needs no rounding, is known by `mul_add`.

use std::f32::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_E, PI, SQRT_2};

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

    /// `exp(x) / 4` as a sum of two; half of it may be infinite.
    #[inline(always)]
    fn quarter_exp(&self) -> (f32, f32) {
        let high = 1.0 + self.r;
        let low = (self.r - (high - 1.0)) + self.beyond;
        let quarter = power_of_two(self.n.wrapping_sub(2));
        (high * quarter, low * quarter)
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

/// `y * 2^n` of a normal number that stays one; `n` may have other bits above its lowest eight.
#[inline(always)]
fn normal_scaled(y: f32, n: i32) -> f32 {
    f32::from_bits(y.to_bits().wrapping_add((n as u32) << 23))
}

/// `e` to the power `x`.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // Beyond these ends the result is 0 or infinite.
    let reduced = Reduced::of(clamp(x, -104.0, 89.0));
    scaled(1.0 + (reduced.r + reduced.beyond), reduced.n)
}

/// The same, of usual [exponents](super::usual).
#[inline(always)]
pub(super) fn usual_exp(x: f32) -> f32 {
    let reduced = Reduced::of(x);
    normal_scaled(1.0 + (reduced.r + reduced.beyond), reduced.n)
}

/// Two to the power `x`.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    let (y, n) = exp2_in_parts(clamp(x, -151.0, 129.0));
    scaled(y, n)
}

/// The same, of usual [exponents](super::usual).
#[inline(always)]
pub(super) fn usual_exp2(x: f32) -> f32 {
    let (y, n) = exp2_in_parts(x);
    normal_scaled(y, n)
}

/// Two to the power `x` as `y * 2^n`.
#[inline(always)]
fn exp2_in_parts(x: f32) -> (f32, i32) {
    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    let p = horner!(t, 0.240_226_5 0.055_503_275 0.009_618_006 0.001_340_030_9 0.000_154_759_27);
    (p.mul_add(t, LN_2).mul_add(t, 1.0), bits_of(shifted))
}

/// `exp(x) - 1`.
#[inline(always)]
pub(super) fn expm1(x: f32) -> f32 {
    usual_expm1(clamp(x, -20.0, 89.0))
}

/// The same, of usual [exponents](super::usual).
#[inline(always)]
pub(super) fn usual_expm1(x: f32) -> f32 {
    let Reduced { n, r, beyond } = Reduced::of(x);
    // 2^n * (1 + r + beyond) - 1, of half as much because 2^128 is not representable.
    let half = power_of_two(n.wrapping_sub(1));
    let high = half.mul_add(r, half - 0.5);
    let low = half.mul_add(r, (half - 0.5) - high);
    let result = 2.0 * (high + half.mul_add(beyond, low));
    if n == 0 { x + beyond } else { result }
}

/// A positive normal number as `m * 2^e`, and `m` is between the square roots of 1/2 and 2.
#[inline(always)]
fn split_normal(x: f32) -> (f32, i32) {
    /// The bits of the square root of one half.
    const LEAST: u32 = 0x3f35_04f3;

    let above = x.to_bits().wrapping_sub(LEAST);
    let e = above as i32 >> 23;
    (f32::from_bits((above & 0x007f_ffff).wrapping_add(LEAST)), e)
}

/// Any positive number, likewise.
#[inline(always)]
fn split(x: f32) -> (f32, i32) {
    let is_subnormal = x < f32::MIN_POSITIVE;
    let (x, by) = if is_subnormal { (x * 33_554_432.0, 25) } else { (x, 0) };
    let (m, e) = split_normal(x);
    (m, e.wrapping_sub(by))
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
    // Infinity and NaN are not less.
    let result = if x < f32::INFINITY { result } else { x };
    let result = if x < 0.0 { f32::NAN } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// `e * ln(2) + ln(m)`
#[inline(always)]
fn natural((m, e): (f32, i32)) -> f32 {
    let f = m - 1.0;
    added(e, LN_2_PARTS, f, near_one(f))
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    defined(x, natural(split(x)))
}

/// The same of what is [positive](super::usual).
#[inline(always)]
pub(super) fn usual_ln(x: f32) -> f32 {
    natural(split_normal(x))
}

/// From here on one more does not matter.
const LARGE: f32 = 1e10;

/// `ln(1 + x)`.
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    let above = 1.0 + x;
    let (m, e) = split_normal(above);
    let is_large = x > LARGE;
    let (f, lost) = beyond_one(x, e);
    let f = if is_large { m - 1.0 } else { f };
    let lost = if is_large { 0.0 } else { lost };
    let result = defined(above, added(e, LN_2_PARTS, f, lost + near_one(f)));
    if x == 0.0 { x } else { result }
}

/// The same of what is [above -1](super::usual).
#[inline(always)]
pub(super) fn usual_ln_1p(x: f32) -> f32 {
    let (_, e) = split_normal(1.0 + x);
    let (f, lost) = beyond_one(x, e);
    let result = added(e, LN_2_PARTS, f, lost + near_one(f));
    if x == 0.0 { x } else { result }
}

/// `(1 + x) / 2^e - 1`, and what is lost of its logarithm.
#[inline(always)]
fn beyond_one(x: f32, e: i32) -> (f32, f32) {
    let scale = power_of_two(e.wrapping_neg());
    let f = x.mul_add(scale, scale - 1.0);
    let lost = x.mul_add(scale, (scale - 1.0) - f);
    (f, lost * (1.0 - f))
}

/// A logarithm to another base: one over that of the base, and the new one of two.
#[inline(always)]
fn to_base((m, e): (f32, i32), inverse: [f32; 2], of_two: [f32; 2]) -> f32 {
    let f = m - 1.0;
    let high = f * inverse[0];
    let lost = f.mul_add(inverse[1], f.mul_add(inverse[0], -high));
    let low = near_one(f).mul_add(inverse[0], lost);
    added(e, of_two, high, low)
}

/// `e + log2(m)`
#[inline(always)]
fn binary(parts: (f32, i32)) -> f32 {
    to_base(parts, [LOG2_E, 1.925_963e-8], [1.0, 0.0])
}

/// The logarithm to base two.
#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    defined(x, binary(split(x)))
}

/// The same of what is [positive](super::usual).
#[inline(always)]
pub(super) fn usual_log2(x: f32) -> f32 {
    binary(split_normal(x))
}

/// `e * log10(2) + log10(m)`
#[inline(always)]
fn decimal(parts: (f32, i32)) -> f32 {
    to_base(parts, [LOG10_E, -1.010_305e-8], [0.301_025_4, 4.605_039e-6])
}

/// The logarithm to base ten.
#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    defined(x, decimal(split(x)))
}

/// The same of what is [positive](super::usual).
#[inline(always)]
pub(super) fn usual_log10(x: f32) -> f32 {
    decimal(split_normal(x))
}

/// From here on `sinh` and `cosh` are infinite.
const MOST: f32 = 89.5;

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let p = horner!(z, 0.166_666_67 0.008_333_350_5 0.000_198_360_66 2.817_439_7e-6);
    let small = (a * z).mul_add(p, a);
    let (high, low) = Reduced::of(clamp(a, 0.0, MOST)).quarter_exp();
    let large = 2.0 * (high + (low - 0.0625 / (high + low)));
    (if a < 1.0 { small } else { large }).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh(x: f32) -> f32 {
    let (high, low) = Reduced::of(clamp(x.abs(), 0.0, MOST)).quarter_exp();
    2.0 * (high + (low + 0.0625 / (high + low)))
}

/// The error function. From 1 on it is `1 - exp(p)`, and `p` a polynomial without a constant term.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    /// From here on it is one.
    const MOST: f32 = 4.0;

    let a = x.abs();
    let p = horner!(
        a * a,
        0.128_379_17 -0.376_126_26 0.112_835_85 -0.026_853_807 0.005_188_318_3 -0.000_801_010_1
        0.000_078_535_29
    );
    let small = a.mul_add(p, a);
    let a = clamp(a, 0.0, MOST);
    let p = horner!(
        a,
        -0.128_551_77 -0.635_625_15 -0.105_262_95 0.022_674_407 -0.002_930_327_9 0.000_049_649_865
        0.000_045_568_507 -0.000_004_937_149_8
    );
    let large = 1.0 - usual_exp(p.mul_add(a, -a));
    (if a < 1.0 { small } else { large }).copysign(x)
}

/// What [`FRAC_PI_2`] lacks.
const HALF_PI_REST: f32 = -4.371_139e-8;

/// `atan(t) - t`, where `t` is from 0 to 1.
#[inline(always)]
fn atan_beyond(t: f32) -> f32 {
    let z = t * t;
    let p = horner!(
        z,
        -0.333_333_02 0.199_986_38 -0.142_652_45 0.109_575_72 -0.084_194_46 0.058_234_32
        -0.031_455_47 0.011_064_315 -0.001_827_184_7
    );
    t * z * p
}

/// The arc tangent.
#[inline(always)]
pub(super) fn atan(x: f32) -> f32 {
    let a = x.abs();
    let is_large = a > 1.0;
    let t = if is_large { a.recip() } else { a };
    let beyond = atan_beyond(t);
    let y = if is_large { FRAC_PI_2 - (t + (beyond - HALF_PI_REST)) } else { t + beyond };
    y.copysign(x)
}

/// The angle of the point `(x, y)`, if both are [ordinates](super::usual).
#[inline(always)]
pub(super) fn usual_atan2(y: f32, x: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let (t, lost) = quotient(if a > b { b } else { a }, if a > b { a } else { b });
    angle(y, x, t, lost)
}

/// The angle of the point `(x, y)`, with the special cases of C.
#[inline(always)]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    /// `2^70`
    const MORE: f32 = f32::from_bits((127 + 70) << 23);

    let (a, b) = (x.abs(), y.abs());
    let (lesser, greater) = if a > b { (b, a) } else { (a, b) };
    // So that the greater one has an inverse.
    let scale = if greater > MORE { MORE.recip() } else { 1.0 };
    let scale = if greater < MORE.recip() { MORE } else { scale };
    let (t, lost) = quotient(lesser * scale, greater * scale);
    // Zeros and infinities have no quotient.
    let has_none = greater == 0.0 || greater == f32::INFINITY;
    let is_one = lesser == f32::INFINITY;
    let t = if has_none { 0.0 } else { t };
    let t = if is_one { 1.0 } else { t };
    let lost = if has_none { 0.0 } else { lost };
    let result = angle(y, x, t, lost);
    if x.is_nan() || y.is_nan() { f32::NAN } else { result }
}

/// `above / below`, and what is lost of it.
#[inline(always)]
fn quotient(above: f32, below: f32) -> (f32, f32) {
    let inverse = below.recip();
    let t = above * inverse;
    (t, (-t).mul_add(below, above) * inverse)
}

/// The angle of the point `(x, y)`, where `t + lost` is the quotient of the lesser and the greater
/// one.
#[inline(always)]
fn angle(y: f32, x: f32, t: f32, lost: f32) -> f32 {
    let is_steep = y.abs() > x.abs();
    let is_left = x.is_sign_negative();
    // atan'(t) = 1 / (1 + t^2), of which 1 - t^2 / 2 is enough.
    let beyond = lost.mul_add((-0.5 * t).mul_add(t, 1.0), atan_beyond(t));
    let (base, rest) = if is_left { (PI, 2.0 * HALF_PI_REST) } else { (0.0, 0.0) };
    let (base, rest) = if is_steep { (FRAC_PI_2, HALF_PI_REST) } else { (base, rest) };
    let is_less = is_steep != is_left;
    let (t, beyond) = if is_less { (-t, -beyond) } else { (t, beyond) };
    let sum = base + t;
    let result = sum + (((base - sum) + t) + (beyond + rest));
    result.copysign(y)
}

/// One over the square root of a positive number, but for 4 %, as that of [`parts`](super::parts).
#[inline(always)]
fn nearly_inverse_root(a: f32) -> f32 {
    f32::from_bits(0x5f37_59df_u32.wrapping_sub(a.to_bits() >> 1))
}

/// What arc sine and arc cosine are made of: a number up to 1/2, and how much greater its arc sine
/// is. The number is `a`, or the root of `(1 - a) / 2` if that is less.
#[inline(always)]
fn up_to_half(a: f32) -> (f32, f32) {
    let is_large = a > 0.5;
    let z = if is_large { 0.5 - 0.5 * a } else { a * a };
    let root = z.sqrt();
    let missing = (-root).mul_add(root, z) * (0.5 * nearly_inverse_root(z));
    let s = if is_large { root } else { a };
    let p = horner!(z, 0.166_667_54 0.074_952_33 0.045_478_34 0.024_141_01 0.042_230_52);
    (s, (s * z).mul_add(p, if is_large { missing } else { 0.0 }))
}

/// The arc sine.
#[inline(always)]
pub(super) fn asin(x: f32) -> f32 {
    let a = x.abs();
    let (s, beyond) = up_to_half(a);
    let near = FRAC_PI_2 - 2.0 * s;
    let lost = (FRAC_PI_2 - near) - 2.0 * s;
    let large = near + (lost - 2.0f32.mul_add(beyond, -HALF_PI_REST));
    (if a > 0.5 { large } else { s + beyond }).copysign(x)
}

/// The arc cosine.
#[inline(always)]
pub(super) fn acos(x: f32) -> f32 {
    let (s, beyond) = up_to_half(x.abs());
    let (s, beyond) = (s.copysign(x), beyond.copysign(x));
    // pi / 2 - s, or twice s, less than pi if x is negative.
    let near = FRAC_PI_2 - s;
    let lost = (FRAC_PI_2 - near) - s;
    let small = near + (lost - (beyond - HALF_PI_REST));
    let large = 2.0 * (s + beyond);
    let base = if x < 0.0 { PI } else { 0.0 };
    let below = base + 2.0 * s;
    let rest = ((base - below) + 2.0 * s) + 2.0f32.mul_add(beyond, 2.0 * HALF_PI_REST);
    let large = if x < 0.0 { below + rest } else { large };
    if x.abs() > 0.5 { large } else { small }
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    /// From here on it is one.
    const MOST: f32 = 10.0;

    let a = x.abs();
    let z = x * x;
    let p = horner!(z, -0.333_332_8 0.133_314_42 -0.053_739_716 0.020_639_088 -0.005_704_988_7);
    let small = (p * z).mul_add(a, a);
    let large = 1.0 - 2.0 / (usual_exp(2.0 * clamp(a, 0.0, MOST)) + 1.0);
    (if a < 0.625 { small } else { large }).copysign(x)
}

/// The logarithm of `a + sqrt(square)`, where `square` is a sum of two, and of `2 * a` where `a` is
/// large.
#[inline(always)]
fn area(a: f32, square: (f32, f32)) -> f32 {
    let root = square.0.sqrt();
    let missing = (-root).mul_add(root, square.0) + square.1;
    let (greater, lesser) = if a > root { (a, root) } else { (root, a) };
    let whole = greater + lesser;
    let lost = lesser - (whole - greater);
    // What the root lacks is missing / (2 * root); the logarithm changes by its share in the sum.
    let below = if root == 0.0 { 1.0 } else { 2.0 * root * whole };
    let lost = (2.0 * root).mul_add(lost, missing) / below;
    let is_large = a > 65_536.0;
    let (m, e) = split_normal(if is_large { a } else { whole });
    let e = e.wrapping_add(i32::from(is_large));
    let f = m - 1.0;
    let y = added(e, LN_2_PARTS, f, near_one(f) + if is_large { 0.0 } else { lost });
    if a < f32::INFINITY { y } else { a }
}

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(super) fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let square = a * a;
    let rest = a.mul_add(a, -square);
    let (greater, lesser) = if a > 1.0 { (square, 1.0) } else { (1.0, square) };
    let sum = greater + lesser;
    area(a, (sum, (lesser - (sum - greater)) + rest)).copysign(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(super) fn acosh(x: f32) -> f32 {
    let square = x * x;
    let rest = x.mul_add(x, -square);
    let less = square - 1.0;
    let y = area(x, (less, ((square - less) - 1.0) + rest));
    if x < 1.0 { f32::NAN } else { y }
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(super) fn atanh(x: f32) -> f32 {
    let a = x.abs();
    // 1. (1 + a) / (1 - a) = above / m * 2^-e
    let (above, below) = (1.0 + a, 1.0 - a);
    let (above_rest, below_rest) = (a - (above - 1.0), (1.0 - below) - a);
    let (m, e) = split_normal(below);
    let is_more = above > SQRT_2 * m;
    let (m, e) = if is_more { (2.0 * m, e.wrapping_sub(1)) } else { (m, e) };
    let m_rest = below_rest * power_of_two(e.wrapping_neg());
    // 2. The quotient is (1 + s) / (1 - s).
    let (less, more) = ((above - m) + (above_rest - m_rest), (above + m) + (above_rest + m_rest));
    let (s, s_rest) = quotient(less, more);
    let z = s * s;
    let p = horner!(z, 0.333_333_9 0.199_887_48 0.149_365_37);
    // 3. Half of its logarithm
    let half = LN_2_PARTS.map(|it| 0.5 * it);
    let y = added(e.wrapping_neg(), half, s, (s * z).mul_add(p, s_rest));
    let y = if a < 1.0 { y } else { f32::NAN };
    let y = if a == 1.0 { f32::INFINITY } else { y };
    y.copysign(x)
}
