//! Functions of floating numbers without calls and branches, so that loops over
//! them become vector instructions.
//!
//! Results differ from the exact ones by at most two units in the last place. The
//! polynomials for `exp` and `tanh` are those of S. Moshier's Cephes library, that
//! of the logarithm is fdlibm's.

/// Adding this leaves a small `f32` rounded to an integer, in the lowest bits.
const SHIFT: f32 = 12_582_912.0;

/// `e` to the power `x`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
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

#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn ln(x: f32) -> f32 {
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
    let result = if x == f32::INFINITY || x.is_nan() { x } else { result };
    let result = if x < 0.0 { f32::NAN } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let z = x * x;
    let p = -5.704_988_7e-3;
    let p = p * z + 2.063_908_8e-2;
    let p = p * z - 5.373_971_6e-2;
    let p = p * z + 1.333_144_2e-1;
    let p = p * z - 3.333_328e-1;
    let small = p * z * x + x;
    let large = 1.0 - 2.0 / (exp(2.0 * x.abs()) + 1.0);
    let magnitude = if x.abs() < 0.625 { small.abs() } else { large };
    magnitude.copysign(x)
}

/// Sine and cosine of a number of turns from 0 to 1.
#[inline(always)]
pub(crate) fn sin_cos_of_turns(turns: f32) -> (f32, f32) {
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

/// Rounding to integers.
pub(crate) trait Round: Copy {
    /// The nearest integer, and of two equally near ones the even one.
    fn to_nearest(self) -> Self;
    /// The greatest integer that is not above.
    fn down(self) -> Self;
    /// The least integer that is not below.
    fn up(self) -> Self;
    /// Without the fraction.
    fn towards_zero(self) -> Self;
}

macro_rules! round {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                // From here on there are no fractions, so adding it drops them.
                const WHOLE: $ty = (1_u64 << ($ty::MANTISSA_DIGITS - 1)) as $ty;
                let rounded = (self.abs() + WHOLE) - WHOLE;
                if self.abs() < WHOLE { rounded.copysign(self) } else { self }
            }
            #[inline(always)]
            fn down(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest > self { nearest - 1.0 } else { nearest }
            }
            #[inline(always)]
            fn up(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest < self { (nearest + 1.0).copysign(self) } else { nearest }
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self.abs().down().copysign(self)
            }
        }
    )*};
}

round! { f32 f64 }

macro_rules! whole {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                self
            }
            #[inline(always)]
            fn down(self) -> $ty {
                self
            }
            #[inline(always)]
            fn up(self) -> $ty {
                self
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self
            }
        }
    )*};
}

whole! { u8 u16 u32 i8 i16 i32 i64 }

#[cfg(test)]
mod tests {
    use super::*;

    /// All kinds of numbers, among them every exponent.
    fn numbers() -> impl Iterator<Item = f32> {
        let step = 65_537;
        (0..u32::MAX / step).map(move |it| f32::from_bits(it * step))
    }

    #[track_caller]
    fn check(vectorized: fn(f32) -> f32, exact: fn(f64) -> f64) {
        for x in numbers() {
            let (actual, expected) = (vectorized(x), exact(f64::from(x)) as f32);
            let distance = actual.to_bits().abs_diff(expected.to_bits());
            let is_same = actual.is_nan() && expected.is_nan();
            assert!(is_same || distance <= 2, "{x:e}: {actual:e} instead of {expected:e}");
        }
    }

    #[test]
    fn errors_are_below_two_units_in_the_last_place() {
        check(exp, f64::exp);
        check(ln, f64::ln);
        check(tanh, f64::tanh);
    }

    #[test]
    fn rounding_is_exact() {
        check(f32::to_nearest, f64::round_ties_even);
        check(f32::down, f64::floor);
        check(f32::up, f64::ceil);
        check(f32::towards_zero, f64::trunc);
        for x in [-0.5_f64, 0.5, 1.5, 2.5, -1e300, 4_503_599_627_370_497.5, 9e15, -0.0] {
            assert_eq!(x.to_nearest().to_bits(), x.round_ties_even().to_bits(), "{x}");
            assert_eq!(x.down().to_bits(), x.floor().to_bits(), "{x}");
            assert_eq!(x.up().to_bits(), x.ceil().to_bits(), "{x}");
        }
    }

    #[test]
    fn turns_go_round() {
        for i in 0..1000 {
            let turns = i as f32 / 1000.0;
            let (sine, cosine) = sin_cos_of_turns(turns);
            let angle = f64::from(turns) * std::f64::consts::TAU;
            assert!((f64::from(sine) - angle.sin()).abs() < 2e-7, "{turns}");
            assert!((f64::from(cosine) - angle.cos()).abs() < 2e-7, "{turns}");
        }
    }
}
