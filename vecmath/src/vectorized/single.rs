//! Functions of `f32`: in `f32` where that is exact enough, else in `f64`. Where `mul_add` is one
//! instruction, it is so for more of them.
//!
//! The polynomials for `exp` and `tanh` are those of S. Moshier's Cephes library, that of the
//! logarithm is fdlibm's.

use super::precision::Single;
use super::{
    arcs, double, error_function, exponential, fused, hyperbolic, logarithm, powers, trigonometry,
};

macro_rules! by_double {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FUSED: bool>(x: f32) -> f32 {
            $home::$name::<Single<FUSED>>(f64::from(x)) as f32
        }
    )*)*};
}

by_double! {
    error_function: erfc;
}

macro_rules! by_level {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FUSED: bool>(x: f32) -> f32 {
            if FUSED {
                fused::$name(x)
            } else {
                $home::$name::<Single<FUSED>>(f64::from(x)) as f32
            }
        }
    )*)*};
}

by_level! {
    exponential: exp2 usual_exp2 expm1 usual_expm1;
    logarithm: ln_1p usual_ln_1p log2 usual_log2 log10 usual_log10;
    hyperbolic: sinh cosh asinh acosh atanh;
    arcs: asin acos atan;
    error_function: erf gelu;
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub fn atan2<const FUSED: bool>(y: f32, x: f32) -> f32 {
    if FUSED {
        fused::atan2(y, x)
    } else {
        arcs::atan2::<Single<FUSED>>(f64::from(y), f64::from(x)) as f32
    }
}

/// As [`atan2`].
#[inline(always)]
pub fn usual_atan2<const FUSED: bool>(y: f32, x: f32) -> f32 {
    if FUSED { fused::usual_atan2(y, x) } else { atan2::<FUSED>(y, x) }
}

/// `x` to the power `y`.
#[inline(always)]
pub fn pow<const FUSED: bool>(x: f32, y: f32) -> f32 {
    powers::pow::<Single<FUSED>>(f64::from(x), f64::from(y)) as f32
}

/// As [`pow`].
#[inline(always)]
pub fn usual_pow<const FUSED: bool>(x: f32, y: f32) -> f32 {
    powers::usual_pow::<Single<FUSED>>(f64::from(x), f64::from(y)) as f32
}

/// The distance of the point `(x, y)` from zero.
#[inline(always)]
pub fn hypot<const FUSED: bool>(x: f32, y: f32) -> f32 {
    powers::hypot::<Single<FUSED>>(f64::from(x), f64::from(y)) as f32
}

/// Whether [`rest`] is right.
#[inline(always)]
pub fn has_usual_quotient(a: f32, b: f32) -> bool {
    double::has_usual_quotient(f64::from(a), f64::from(b))
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub fn rest<const FUSED: bool>(a: f32, b: f32) -> f32 {
    double::rest::<FUSED>(f64::from(a), f64::from(b)) as f32
}

/// The tangent of what is too large for [`tan`]: that of the C library is one and a half units off.
pub fn far_tan(x: f32) -> f32 {
    f64::from(x).tan() as f32
}

/// Whether `sin`, `cos` and `tan` are right.
#[inline(always)]
pub fn is_usual(x: f32) -> bool {
    super::double::is_usual(f64::from(x))
}

macro_rules! by_size {
    ($($usual:ident $name:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of an angle that is usual.")]
        #[inline(always)]
        pub fn $usual<const FUSED: bool>(x: f32) -> f32 {
            if FUSED {
                fused::$name(x)
            } else {
                trigonometry::$name::<Single<FUSED>>(f64::from(x)) as f32
            }
        }

        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FUSED: bool>(x: f32) -> f32 {
            if FUSED && x.abs() <= MOST_USUAL {
                fused::$name(x)
            } else {
                trigonometry::$name::<Single<FUSED>>(f64::from(x)) as f32
            }
        }
    )*};
}

/// Up to here angles need no `f64` where `mul_add` is one instruction.
pub(super) const MOST_USUAL: f32 = fused::MOST;

by_size! { usual_sin sin; usual_cos cos; usual_tan tan; }

/// Adding this leaves a small `f32` rounded to an integer, in the lowest bits.
pub(super) const SHIFT: f32 = 12_582_912.0;

/// `e` to the power `x`.
#[inline(always)]
pub fn exp<const FUSED: bool>(x: f32) -> f32 {
    if FUSED {
        return fused::exp(x);
    }
    // Beyond these ends the result is 0 or infinite; NaN stays.
    let x = if x < -104.0 { -104.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    // 1. x = n * ln(2) + r, and |r| is at most ln(2) / 2.
    let shifted = x * std::f32::consts::LOG2_E + SHIFT;
    let n = shifted - SHIFT;
    let r = x - n * 0.693_359_4 + n * 2.121_944_4e-4;
    // 2. exp(r)
    let p = 1.987_569_1e-4;
    let p = p * r + 1.398_2e-3;
    let p = p * r + 8.333_452e-3;
    let p = p * r + 4.166_579_6e-2;
    let p = p * r + 1.666_666_5e-1;
    let p = p * r + 0.5;
    let power = p * r * r + r + 1.0;
    // 3. Times 2^n, in two steps because 2^n alone may not be representable.
    let n = shifted.to_bits().wrapping_sub(SHIFT.to_bits()) as i32;
    let half = n >> 1;
    power * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// As [`exp`].
#[inline(always)]
pub fn usual_exp<const FUSED: bool>(x: f32) -> f32 {
    if FUSED { fused::usual_exp(x) } else { exp::<FUSED>(x) }
}

#[inline(always)]
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// The natural logarithm.
#[inline(always)]
pub fn ln<const FUSED: bool>(x: f32) -> f32 {
    if FUSED {
        return fused::ln(x);
    }
    /// The bits of the square root of one half.
    const LEAST: u32 = 0x3f35_04f3;

    // 1. x = m * 2^e, and m is between the square roots of 1/2 and 2.
    let is_subnormal = x < f32::MIN_POSITIVE;
    let (scaled, by) = if is_subnormal { (x * 33_554_432.0, 25) } else { (x, 0) };
    let above = scaled.to_bits().wrapping_sub(LEAST);
    let e = (above as i32 >> 23).wrapping_sub(by) as f32;
    let f = f32::from_bits((above & 0x007f_ffff).wrapping_add(LEAST)) - 1.0;
    // 2. ln(m)
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let odd = w * (0.400_009_72 + w * 0.242_790_79);
    let even = z * (0.666_666_6 + w * 0.284_987_87);
    let half_square = 0.5 * f * f;
    let of_m = s * (half_square + odd + even) + e * 9.058_001e-6 - half_square + f;
    let result = of_m + e * 0.693_138_1;
    // 3. What is no positive number.
    let result = if x < f32::INFINITY { result } else { x };
    let result = if x < 0.0 { f32::NAN } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// As [`ln`].
#[inline(always)]
pub fn usual_ln<const FUSED: bool>(x: f32) -> f32 {
    if FUSED { fused::usual_ln(x) } else { ln::<FUSED>(x) }
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh<const FUSED: bool>(x: f32) -> f32 {
    if FUSED {
        return fused::tanh(x);
    }
    let z = x * x;
    let p = -5.704_988_7e-3;
    let p = p * z + 2.063_908_8e-2;
    let p = p * z - 5.373_971_6e-2;
    let p = p * z + 1.333_144_2e-1;
    let p = p * z - 3.333_328e-1;
    let small = p * z * x + x;
    let large = 1.0 - 2.0 / (exp::<FUSED>(2.0 * x.abs()) + 1.0);
    let magnitude = if x.abs() < 0.625 { small.abs() } else { large };
    magnitude.copysign(x)
}

/// Sine and cosine of a number of turns from 0 to 1.
#[inline(always)]
pub fn sin_cos_of_turns(turns: f32) -> (f32, f32) {
    // Which quarter is nearest, and how far it is.
    let shifted = 4.0 * turns + SHIFT;
    let angle = (4.0 * turns - (shifted - SHIFT)) * std::f32::consts::FRAC_PI_2;
    let quarter = shifted.to_bits();
    let z = angle * angle;
    let sine = ((-1.951_529_6e-4 * z + 8.332_161e-3) * z - 1.666_665_5e-1) * z * angle + angle;
    let cosine =
        ((2.443_315_7e-5 * z - 1.388_731_6e-3) * z + 4.166_664_6e-2) * z * z - 0.5 * z + 1.0;
    let (sine, cosine) = if quarter & 1 == 0 { (sine, cosine) } else { (cosine, -sine) };
    if quarter & 2 == 0 { (sine, cosine) } else { (-sine, -cosine) }
}
