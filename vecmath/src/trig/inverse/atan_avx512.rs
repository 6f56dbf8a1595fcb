//! Arc tangents of `f64`: a known angle whose tangent is near, and few terms for what is beyond.

use std::arch::x86_64::*;
use std::f64::consts::PI;

use crate::Isa;

use crate::double;
use crate::simd::double::{lookup, polynomial};

/// A point between the axes as one at an angle that is known, turned by one that is small.
struct Turned {
    /// The tangent of the small one.
    t: __m512d,
    /// What is lost of it, where it is the whole.
    lost: __m512d,
    /// Where the known one is in the tables.
    places: __m512i,
}

impl Turned {
    /// The angle from the axis on the right: at most a quarter of a turn.
    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn of(above: __m512d, below: __m512d) -> Turned {
        /// Adding this leaves a small number rounded to an integer, in the lowest bits.
        const SHIFT: f64 = 6_755_399_441_055_744.0;

        let is_steep = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(above, below);
        let (lesser, greater) = (_mm512_min_pd(below, above), _mm512_max_pd(below, above));
        let inverse = _mm512_rcp14_pd(greater);
        // Near zero is more than elsewhere, so that known angles are great beside what is beyond.
        let beyond = _mm512_fmadd_pd(lesser, inverse, _mm512_set1_pd(-0.0625));
        let shifted = _mm512_fmadd_pd(beyond, _mm512_set1_pd(7.9), _mm512_set1_pd(SHIFT));
        let places = _mm512_castpd_si512(shifted);
        let places = _mm512_mask_or_epi64(places, is_steep, places, _mm512_set1_epi64(8));
        let known = lookup(&TANGENTS, places);
        let top = _mm512_fnmadd_pd(known, greater, lesser);
        let bottom = _mm512_fmadd_pd(known, lesser, greater);
        let t = _mm512_div_pd(top, bottom);
        let lost = _mm512_mul_pd(_mm512_fnmadd_pd(t, bottom, top), inverse);
        // What is steep is turned back.
        let zero = _mm512_setzero_pd();
        Turned {
            t: _mm512_mask_sub_pd(t, is_steep, zero, t),
            lost: _mm512_mask_sub_pd(lost, is_steep, zero, lost),
            places,
        }
    }

    /// The known angle, and by how much the whole is more.
    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn angle(&self) -> (__m512d, __m512d) {
        /// `(atan(t) / t - 1) / t^2`, where `|t|` is at most 0.126 (Remez' algorithm).
        const TERMS: [f64; 6] = [
            -0.333_333_333_333_325_04,
            0.199_999_999_989_790_26,
            -0.142_857_138_676_940_1,
            0.111_110_323_578_003_85,
            -0.090_833_939_500_849_68,
            0.073_378_163_366_511_6,
        ];

        let z = _mm512_mul_pd(self.t, self.t);
        let rest = _mm512_add_pd(lookup(&ANGLES_REST, self.places), self.lost);
        let beyond = _mm512_fmadd_pd(_mm512_mul_pd(self.t, z), polynomial(z, &TERMS), rest);
        (lookup(&ANGLES, self.places), _mm512_add_pd(self.t, beyond))
    }
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn with_sign(y: __m512d, x: __m512d) -> __m512d {
    _mm512_or_pd(y, _mm512_and_pd(x, _mm512_set1_pd(-0.0)))
}

/// The arc tangent.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn atan_of(x: __m512d) -> __m512d {
    /// From here on it does not change.
    const MOST: f64 = 1e30;

    let a = _mm512_min_pd(_mm512_set1_pd(MOST), _mm512_abs_pd(x));
    let (base, beyond) = Turned::of(a, _mm512_set1_pd(1.0)).angle();
    with_sign(_mm512_add_pd(base, beyond), x)
}

/// The angle of the point `(x, y)`, if both are usual.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn atan2_of_in_range(y: __m512d, x: __m512d) -> __m512d {
    /// What pi lacks.
    const REST: f64 = 1.224_646_799_147_353_2e-16;

    let (base, beyond) = Turned::of(_mm512_abs_pd(y), _mm512_abs_pd(x)).angle();
    // The same from the axis on the left.
    let pi = _mm512_set1_pd(PI);
    let opposite = _mm512_sub_pd(pi, base);
    let lost = _mm512_sub_pd(_mm512_sub_pd(pi, opposite), base);
    let less = _mm512_sub_pd(_mm512_add_pd(lost, _mm512_set1_pd(REST)), beyond);
    let is_left = _mm512_movepi64_mask(_mm512_castpd_si512(x));
    let angle = _mm512_add_pd(base, beyond);
    with_sign(_mm512_mask_add_pd(angle, is_left, opposite, less), y)
}

/// The angle of the point `(x, y)`.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
#[inline]
fn atan2_of(y: __m512d, x: __m512d) -> __m512d {
    let angles = atan2_of_in_range(y, x);
    match !(are_ordinates(y) & are_ordinates(x)) {
        0 => angles,
        are_special => _mm512_mask_mov_pd(angles, are_special, special_atan2(y, x)),
    }
}

/// As [`ordinates`](super::super::usual).
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn are_ordinates(x: __m512d) -> __mmask8 {
    const MOST: i64 = 1e150_f64.to_bits() as i64;
    const LEAST: i64 = 1e-150_f64.to_bits() as i64;

    let bits = _mm512_castpd_si512(_mm512_abs_pd(x));
    let above = _mm512_sub_epi64(bits, _mm512_set1_epi64(LEAST));
    _mm512_cmple_epu64_mask(above, _mm512_set1_epi64(MOST - LEAST))
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
#[cold]
fn special_atan2(y: __m512d, x: __m512d) -> __m512d {
    let (mut ys, mut xs) = ([0.0; 8], [0.0; 8]);
    // SAFETY: the numbers are as many as a register has.
    unsafe {
        _mm512_storeu_pd(ys.as_mut_ptr(), y);
        _mm512_storeu_pd(xs.as_mut_ptr(), x);
    }
    for (y, x) in ys.iter_mut().zip(xs) {
        *y = double::atan2::<true>(*y, x);
    }
    // SAFETY: likewise.
    unsafe { _mm512_loadu_pd(ys.as_ptr()) }
}

/// The angles of polar with such ordinates and as many abscissas, and whether the processor has the
/// registers.
pub(crate) fn atan2(ordinates: &mut [f64], abscissas: &[f64]) -> bool {
    #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
    fn each(ordinates: &mut [f64], abscissas: &[f64]) {
        let (ys, y_rest) = ordinates.as_chunks_mut::<8>();
        let (xs, x_rest) = abscissas.as_chunks::<8>();
        for (y, x) in ys.iter_mut().zip(xs) {
            registers(y, x);
        }
        if !y_rest.is_empty() {
            let (mut y, mut x) = ([0.5; 8], [0.5; 8]);
            y[..y_rest.len()].copy_from_slice(y_rest);
            x[..x_rest.len()].copy_from_slice(x_rest);
            registers(&mut y, &x);
            y_rest.copy_from_slice(&y[..y_rest.len()]);
        }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn registers(y: &mut [f64; 8], x: &[f64; 8]) {
        // SAFETY: the numbers are as many as a register has.
        unsafe {
            let angles = atan2_of(_mm512_loadu_pd(y.as_ptr()), _mm512_loadu_pd(x.as_ptr()));
            _mm512_storeu_pd(y.as_mut_ptr(), angles);
        }
    }

    let has_registers = Isa::detect() >= Isa::Avx512;
    if has_registers {
        // SAFETY: the processor was asked for these instructions.
        unsafe { each(ordinates, abscissas) };
    }
    has_registers
}

/// The tangents of the known angles, and from the other axis.
static TANGENTS: [f64; 16] = [
    0.0,
    0.189_082_278_481_012_67,
    0.315_664_556_962_025_33,
    0.442_246_835_443_038,
    0.568_829_113_924_050_7,
    0.695_411_392_405_063_3,
    0.821_993_670_886_076,
    0.948_575_949_367_088_6,
    0.0,
    0.189_082_278_481_012_67,
    0.315_664_556_962_025_33,
    0.442_246_835_443_038,
    0.568_829_113_924_050_7,
    0.695_411_392_405_063_3,
    0.821_993_670_886_076,
    0.948_575_949_367_088_6,
];

/// The known angles.
static ANGLES: [f64; 16] = [
    0.0,
    0.186_876_051_571_184_12,
    0.305_765_278_069_483_1,
    0.416_387_716_892_596_57,
    0.517_184_328_977_498_1,
    0.607_639_718_667_313_7,
    0.688_008_586_728_088_3,
    0.759_013_706_931_135_3,
    1.570_796_326_794_896_6,
    1.383_920_275_223_712_5,
    1.265_031_048_725_413_5,
    1.154_408_609_902_3,
    1.053_611_997_817_398_6,
    0.963_156_608_127_583,
    0.882_787_740_066_808_4,
    0.811_782_619_863_761_3,
];

/// What these lack.
static ANGLES_REST: [f64; 16] = [
    0.0,
    -2.855151866548179e-18,
    -3.50193606356811e-18,
    -3.774135131297765e-18,
    -4.1511510443615765e-17,
    -6.217102476973669e-19,
    -1.909982853244851e-18,
    -2.548140221413989e-17,
    6.123233995736766e-17,
    -1.9179235022970903e-17,
    9.22312478967794e-18,
    -4.601582737385023e-17,
    -8.278452061532229e-18,
    -4.9168252257450626e-17,
    -4.7879979651903143e-17,
    -2.4308560291008108e-17,
];
