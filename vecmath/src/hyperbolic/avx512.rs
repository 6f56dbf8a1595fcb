//! Hyperbolic sine and cosine.
//!
//! They are sums of an exponential and its inverse. Both come from tables of powers of two, and what
//! is left of the argument is so small that few terms of its own sine and cosine are enough.

use std::arch::x86_64::*;
use std::f32;
use std::f64::consts::LOG2_E;

use crate::exp::avx512_f32::{LN_2, POWERS, POWERS_REST, SHIFT};
use crate::simd::{double, single, tables};

/// An eighth of the exponential of a number, and of its inverse, but for what is left of it.
struct Doubles {
    power: __m512d,
    inverse: __m512d,
    /// Where they are in the tables.
    places: [__m512i; 2],
    /// What is left of the number, and what is lost of this.
    left: [__m512d; 2],
}

impl Doubles {
    /// Of a number that is not negative.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn of(a: __m512d) -> Doubles {
        /// From here on the functions are infinite.
        const MOST: f64 = 711.0;
        const LN_2: [f64; 2] = double::LN_2;
        const SIXTEENTHS: f64 = double::SIXTEENTHS;

        let a = _mm512_min_pd(_mm512_set1_pd(MOST), a);
        let shifted = _mm512_fmadd_pd(a, _mm512_set1_pd(LOG2_E), _mm512_set1_pd(SIXTEENTHS));
        let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS));
        let above = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[0]), a);
        let left = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[1]), above);
        let lost = _mm512_sub_pd(above, left);
        let lost = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[1]), lost);
        let place = _mm512_castpd_si512(shifted);
        let places = [place, _mm512_sub_epi64(_mm512_setzero_si512(), place)];
        let power = double::lookup(&tables::POWERS, places[0]);
        let inverse = double::lookup(&tables::POWERS, places[1]);
        let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS + 3.0));
        let opposite = _mm512_sub_pd(_mm512_set1_pd(SIXTEENTHS - 3.0), shifted);
        Doubles {
            power: _mm512_scalef_pd(power, n),
            inverse: _mm512_scalef_pd(inverse, opposite),
            places,
            left: [left, lost],
        }
    }

    /// What the table lacks of the power, and of the inverse.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn rests(&self) -> [__m512d; 2] {
        let [power, inverse] = self.places;
        [double::lookup(&tables::POWERS_REST, power), double::lookup(&tables::POWERS_REST, inverse)]
    }

    /// The cosine of what is left, less one.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn cosine(z: __m512d) -> __m512d {
        const TERMS: [f64; 3] =
            [0.500_000_000_000_000_4, 0.041_666_666_660_562_846, 0.001_388_911_286_349_511];
        _mm512_mul_pd(z, double::polynomial(z, &TERMS))
    }

    /// The sine of what is left, less this, but for what is lost of it.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn sine(&self, z: __m512d) -> __m512d {
        const TERMS: [f64; 3] =
            [0.166_666_666_666_666_7, 0.008_333_333_332_655_133, 0.000_198_415_187_016_124_18];
        let [left, lost] = self.left;
        _mm512_fmadd_pd(_mm512_mul_pd(left, z), double::polynomial(z, &TERMS), lost)
    }
}

/// The hyperbolic sine: `4 * (d * cosh(left) + s * sinh(left))`, where `d` and `s` are the difference
/// and the sum of power and inverse.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn sinh_of_doubles(x: __m512d) -> __m512d {
    /// Up to here it is the number, of which a quarter may be no normal one.
    const LEAST: f64 = 1e-30;

    let a = _mm512_abs_pd(x);
    let doubles = Doubles::of(a);
    let Doubles { power, inverse, left: [left, _], .. } = doubles;
    let [power_rest, inverse_rest] = doubles.rests();
    let z = _mm512_mul_pd(left, left);
    let sum = _mm512_add_pd(power, inverse);
    let difference = _mm512_sub_pd(power, inverse);
    let lost = _mm512_sub_pd(_mm512_sub_pd(power, difference), inverse);
    let lost = _mm512_fmadd_pd(power, power_rest, lost);
    let lost = _mm512_fnmadd_pd(inverse, inverse_rest, lost);
    let high = _mm512_fmadd_pd(sum, left, difference);
    let low = _mm512_fmadd_pd(sum, left, _mm512_sub_pd(difference, high));
    let low = _mm512_fmadd_pd(sum, doubles.sine(z), low);
    let low = _mm512_add_pd(low, _mm512_fmadd_pd(difference, Doubles::cosine(z), lost));
    let y = _mm512_mul_pd(_mm512_set1_pd(4.0), _mm512_add_pd(high, low));
    let is_least = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, _mm512_set1_pd(LEAST));
    let y = _mm512_mask_mov_pd(y, is_least, a);
    _mm512_or_pd(y, _mm512_and_pd(x, _mm512_set1_pd(-0.0)))
}

/// The hyperbolic cosine: `4 * (s * cosh(left) + d * sinh(left))`.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn cosh_of_doubles(x: __m512d) -> __m512d {
    let doubles = Doubles::of(_mm512_abs_pd(x));
    let Doubles { power, inverse, places: [place, _], left: [left, _] } = doubles;
    let rest = double::lookup(&tables::POWERS_REST, place);
    let z = _mm512_mul_pd(left, left);
    let sum = _mm512_add_pd(power, inverse);
    let difference = _mm512_sub_pd(power, inverse);
    let sine = _mm512_add_pd(left, doubles.sine(z));
    let low = _mm512_fmadd_pd(power, rest, inverse);
    let low = _mm512_fmadd_pd(sum, Doubles::cosine(z), low);
    let low = _mm512_fmadd_pd(difference, sine, low);
    _mm512_mul_pd(_mm512_set1_pd(4.0), _mm512_add_pd(power, low))
}

/// As [`Doubles`].
struct Singles {
    power: __m512,
    inverse: __m512,
    places: [__m512i; 2],
    left: __m512,
}

impl Singles {
    /// Of a number that is not negative.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn of(a: __m512) -> Singles {
        /// From here on the functions are infinite.
        const MOST: f32 = 89.5;

        let a = _mm512_min_ps(_mm512_set1_ps(MOST), a);
        let log2_e = _mm512_set1_ps(f32::consts::LOG2_E);
        let shifted = _mm512_fmadd_ps(a, log2_e, _mm512_set1_ps(SHIFT));
        let n = _mm512_sub_ps(shifted, _mm512_set1_ps(SHIFT));
        let opposite = _mm512_sub_ps(_mm512_set1_ps(SHIFT), shifted);
        let left = _mm512_fnmadd_ps(n, _mm512_set1_ps(LN_2[0]), a);
        let left = _mm512_fnmadd_ps(n, _mm512_set1_ps(LN_2[1]), left);
        let place = _mm512_castps_si512(shifted);
        let places = [place, _mm512_sub_epi32(_mm512_setzero_si512(), place)];
        let power = single::lookup(&EIGHTHS, places[0]);
        let inverse = single::lookup(&EIGHTHS, places[1]);
        Singles {
            power: _mm512_scalef_ps(power, n),
            inverse: _mm512_scalef_ps(inverse, opposite),
            places,
            left,
        }
    }
}

/// `(cosh(r) - 1) / r^2`, where `|r|` is at most `ln(2) / 64`.
const COSINE: f32 = 0.500_004_06;
/// `(sinh(r) - r) / r^3`, likewise.
const SINE: f32 = 0.166_667_48;

/// As [`sinh_of_doubles`].
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn sinh_of_singles(x: __m512) -> __m512 {
    /// As for `f64`.
    const LEAST: f32 = 1e-20;

    let a = _mm512_abs_ps(x);
    let Singles { power, inverse, places, left } = Singles::of(a);
    let power_rest = single::lookup(&POWERS_REST, places[0]);
    let inverse_rest = single::lookup(&POWERS_REST, places[1]);
    let z = _mm512_mul_ps(left, left);
    let sum = _mm512_add_ps(power, inverse);
    let difference = _mm512_sub_ps(power, inverse);
    let lost = _mm512_sub_ps(_mm512_sub_ps(power, difference), inverse);
    let lost = _mm512_fmadd_ps(power, power_rest, lost);
    let lost = _mm512_fnmadd_ps(inverse, inverse_rest, lost);
    let high = _mm512_fmadd_ps(sum, left, difference);
    let low = _mm512_fmadd_ps(sum, left, _mm512_sub_ps(difference, high));
    let sine = _mm512_mul_ps(_mm512_mul_ps(left, z), _mm512_set1_ps(SINE));
    let low = _mm512_fmadd_ps(sum, sine, _mm512_add_ps(low, lost));
    let cosine = _mm512_mul_ps(z, _mm512_set1_ps(COSINE));
    let low = _mm512_fmadd_ps(difference, cosine, low);
    let y = _mm512_mul_ps(_mm512_set1_ps(4.0), _mm512_add_ps(high, low));
    let is_least = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, _mm512_set1_ps(LEAST));
    let y = _mm512_mask_mov_ps(y, is_least, a);
    _mm512_or_ps(y, _mm512_and_ps(x, _mm512_set1_ps(-0.0)))
}

/// As [`cosh_of_doubles`].
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn cosh_of_singles(x: __m512) -> __m512 {
    let Singles { power, inverse, places: [place, _], left } = Singles::of(_mm512_abs_ps(x));
    let rest = single::lookup(&POWERS_REST, place);
    let z = _mm512_mul_ps(left, left);
    let sum = _mm512_add_ps(power, inverse);
    let difference = _mm512_sub_ps(power, inverse);
    let sine = _mm512_fmadd_ps(_mm512_mul_ps(left, z), _mm512_set1_ps(SINE), left);
    let cosine = _mm512_mul_ps(z, _mm512_set1_ps(COSINE));
    let low = _mm512_fmadd_ps(power, rest, inverse);
    let low = _mm512_fmadd_ps(sum, cosine, low);
    let low = _mm512_fmadd_ps(difference, sine, low);
    _mm512_mul_ps(_mm512_set1_ps(4.0), _mm512_add_ps(power, low))
}

/// Eighths of powers of two.
static EIGHTHS: [f32; 32] = eighths(&POWERS);

const fn eighths(numbers: &[f32; 32]) -> [f32; 32] {
    let mut eighths = *numbers;
    let mut place = 0;
    while place < eighths.len() {
        eighths[place] *= 0.125;
        place += 1;
    }
    eighths
}
