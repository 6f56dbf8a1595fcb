//! Functions of `f32`: in `f32` where that is exact enough, else in `f64`. Where `mul_add` is one
//! instruction, it is so for more of them.
//!
//! Without FMA, the polynomials for `exp` and `tanh` are those of S. Moshier's Cephes library, that of the
//! logarithm is fdlibm's. Errors: 1 ULP, of `tanh` and `erfc` 2.

use crate::precision::Single;
use crate::trig::inverse;
use crate::{double, erf, exp, hyperbolic, log, pow, trig};

macro_rules! by_double {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f32) -> f32 {
            $home::$name::<Single<FMA>>(f64::from(x)) as f32
        }
    )*)*};
}

by_double! {
    erf: erfc;
}

macro_rules! by_isa {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f32) -> f32 {
            if FMA {
                $home::fma::$name(x)
            } else {
                $home::$name::<Single<FMA>>(f64::from(x)) as f32
            }
        }
    )*)*};
}

by_isa! {
    exp: exp2 exp2_in_range expm1 expm1_in_range;
    log: log1p log1p_in_range log2 log2_in_range log10 log10_in_range;
    hyperbolic: sinh cosh asinh acosh atanh;
    inverse: asin atan;
    erf: gelu;
}

macro_rules! by_lookup {
    ($($home:ident: $name:ident $lanes:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`, as C has it; with FMA as over lanes.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f32) -> f32 {
            if FMA {
                $home::lanes::$lanes(x)
            } else {
                $home::$name::<Single<FMA>>(f64::from(x)) as f32
            }
        }
    )*};
}

by_lookup! {
    inverse: acos acos_f32;
    erf: erf erf_f32;
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub fn atan2<const FMA: bool>(y: f32, x: f32) -> f32 {
    if FMA {
        inverse::fma::atan2(y, x)
    } else {
        inverse::atan2::<Single<FMA>>(f64::from(y), f64::from(x)) as f32
    }
}

/// As [`atan2`].
#[inline(always)]
pub fn atan2_in_range<const FMA: bool>(y: f32, x: f32) -> f32 {
    if FMA { inverse::fma::atan2_in_range(y, x) } else { atan2::<FMA>(y, x) }
}

/// `x` to the power `y`.
#[inline(always)]
pub fn pow<const FMA: bool>(x: f32, y: f32) -> f32 {
    pow::pow::<Single<FMA>>(f64::from(x), f64::from(y)) as f32
}

/// As [`pow`].
#[inline(always)]
pub fn pow_in_range<const FMA: bool>(x: f32, y: f32) -> f32 {
    pow::pow_in_range::<Single<FMA>>(f64::from(x), f64::from(y)) as f32
}

/// The distance of the point `(x, y)` from zero.
#[inline(always)]
pub fn hypot<const FMA: bool>(x: f32, y: f32) -> f32 {
    pow::hypot::<Single<FMA>>(f64::from(x), f64::from(y)) as f32
}

/// Whether [`rest`] is right.
#[inline(always)]
pub fn quotient_is_exact(a: f32, b: f32) -> bool {
    double::quotient_is_exact(f64::from(a), f64::from(b))
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub fn rest<const FMA: bool>(a: f32, b: f32) -> f32 {
    double::rest::<FMA>(f64::from(a), f64::from(b)) as f32
}

/// The tangent of what is too large for [`tan`]: that of the C library is one and a half units off.
pub fn far_tan(x: f32) -> f32 {
    f64::from(x).tan() as f32
}

/// Whether `sin`, `cos` and `tan` are right.
#[inline(always)]
pub fn is_in_range(x: f32) -> bool {
    double::is_in_range(f64::from(x))
}

macro_rules! by_size {
    ($($in_range:ident $name:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of an angle in range.")]
        #[inline(always)]
        pub fn $in_range<const FMA: bool>(x: f32) -> f32 {
            if FMA {
                trig::fma::$name(x)
            } else {
                trig::$name::<Single<FMA>>(f64::from(x)) as f32
            }
        }

        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f32) -> f32 {
            if FMA && x.abs() <= MOST_IN_RANGE {
                trig::fma::$name(x)
            } else {
                trig::$name::<Single<FMA>>(f64::from(x)) as f32
            }
        }
    )*};
}

/// Up to here angles need no `f64` where `mul_add` is one instruction.
pub(super) const MOST_IN_RANGE: f32 = trig::fma::MOST;

by_size! { sin_in_range sin; cos_in_range cos; tan_in_range tan; }

/// Adding this leaves a small `f32` rounded to an integer, in the lowest bits.
pub(super) const SHIFT: f32 = 12_582_912.0;

/// `e` to the power `x`.
#[inline(always)]
pub fn exp<const FMA: bool>(x: f32) -> f32 {
    if FMA {
        return exp::fma::exp(x);
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
pub fn exp_in_range<const FMA: bool>(x: f32) -> f32 {
    if FMA { exp::fma::exp_in_range(x) } else { exp::<FMA>(x) }
}

#[inline(always)]
pub(super) fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// The natural logarithm.
#[inline(always)]
pub fn log<const FMA: bool>(x: f32) -> f32 {
    if FMA {
        return log::fma::log(x);
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

/// As [`log`].
#[inline(always)]
pub fn log_in_range<const FMA: bool>(x: f32) -> f32 {
    if FMA { log::fma::log_in_range(x) } else { log::<FMA>(x) }
}

/// The hyperbolic tangent.
#[inline(always)]
pub fn tanh<const FMA: bool>(x: f32) -> f32 {
    if FMA {
        return hyperbolic::fma::tanh(x);
    }
    let z = x * x;
    let p = -5.704_988_7e-3;
    let p = p * z + 2.063_908_8e-2;
    let p = p * z - 5.373_971_6e-2;
    let p = p * z + 1.333_144_2e-1;
    let p = p * z - 3.333_328e-1;
    let small = p * z * x + x;
    let large = 1.0 - 2.0 / (exp::<FMA>(2.0 * x.abs()) + 1.0);
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
