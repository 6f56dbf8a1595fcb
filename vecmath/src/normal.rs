//! The normal distribution: its quantiles by the rational functions of Wichura (1988, algorithm AS 241,
//! PPND16), the inverse of the error function by the same, and logarithms of what lies below. Errors:
//! 4 ULP, near zero of `log_ndtr` those of `erfc`.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::double::erfc;
use crate::double_double::two_product;
pub use crate::erf::erfcx;
use crate::precision::Double;

/// A numerator and a denominator, the constant terms first.
type Rational = [[f64; 8]; 2];

/// In `0.180625 - q^2`, where the share differs from a half by `q`, of the quantile by `q`.
const CENTRE: Rational = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

/// In `r - 1.6`, where `r` is the root of the opposite of the share's logarithm.
const MIDDLE: Rational = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];

/// In `r - 5`, likewise.
const TAIL: Rational = [
    [
        6.657_904_643_501_104,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_887_9,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

fn quotient(rational: &Rational, x: f64) -> f64 {
    let [above, below] = rational.map(|terms| terms.iter().rev().fold(0.0, |sum, it| sum * x + it));
    above / below
}

/// The quantile of a share that differs from a half by `beside` and from 0 or 1, which is nearer, by
/// `tail`.
fn quantile(beside: f64, tail: f64) -> f64 {
    if beside.abs() <= 0.425 {
        return beside * quotient(&CENTRE, 0.180_625 - beside * beside);
    }
    let root = (-tail.ln()).sqrt();
    let size = match root <= 5.0 {
        true => quotient(&MIDDLE, root - 1.6),
        false => quotient(&TAIL, root - 5.0),
    };
    size.copysign(beside)
}

/// The number below which this share of a normal distribution lies: NaN beside 0 and 1.
pub fn ndtri(share: f64) -> f64 {
    if share == 0.0 {
        return f64::NEG_INFINITY;
    }
    if share == 1.0 {
        return f64::INFINITY;
    }
    if !(share > 0.0 && share < 1.0) {
        return f64::NAN;
    }
    quantile(share - 0.5, share.min(1.0 - share))
}

/// The inverse of the error function: NaN beside -1 and 1.
pub fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if size == 1.0 {
        return f64::INFINITY.copysign(x);
    }
    if size > 1.0 || x.is_nan() {
        return f64::NAN;
    }
    quantile(0.5 * x, 0.5 * (1.0 - size)) * FRAC_1_SQRT_2
}

/// The logarithm of the share of a normal distribution that lies below.
pub fn log_ndtr(x: f64) -> f64 {
    /// From here on nothing lies above.
    const MOST: f64 = 40.0;

    let scaled = x * FRAC_1_SQRT_2;
    if x < -1.0 {
        return (0.5 * erfcx(-scaled)).ln() - 0.5 * x * x;
    }
    if x <= 1.0 {
        return (-0.5 * erfc::<false>(scaled)).ln_1p();
    }
    if x > MOST {
        return -0.0;
    }
    // What is rounded counts by the square in `erfc`, and in `erfcx` hardly.
    let (square, lost) = two_product::<Double<false>>(x, x);
    let power = (-0.5 * square).exp();
    (-0.5 * erfcx(scaled) * (power - 0.5 * power * lost)).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::{erfcx, erfinv, log_ndtr, ndtri};

    #[test]
    fn has_the_known_values() {
        let pairs = [
            (erfcx(-26.0), 7.657_724_931_490_568e293),
            (erfcx(-1.0), 5.008_980_080_762_283),
            (erfcx(0.0), 1.0),
            (erfcx(0.001), 0.998_872_620_081_151_4),
            (erfcx(1.0), 0.427_583_576_155_807),
            (erfcx(20.0), 0.028_174_348_741_051_32),
            (erfcx(27.9), 0.020_208_884_621_282_616),
            (erfcx(28.1), 0.020_065_231_377_197_21),
            (erfcx(10_000_000_000.0), 5.641_895_835_477_563e-11),
            (erfinv(1.0e-300), 8.862_269_254_527_58e-301),
            (erfinv(-0.25), -0.225_312_055_012_178_1),
            (erfinv(0.849), 1.015_411_155_819_008_4),
            (erfinv(0.851), 1.020_406_473_792_670_6),
            (erfinv(0.999_999), 3.458_910_737_275_499),
            (log_ndtr(-10_000_000_000.0), -5.0e19),
            (log_ndtr(-40.0), -804.608_442_013_753_8),
            (log_ndtr(-1.5), -2.705_944_400_823_889_8),
            (log_ndtr(-0.5), -1.175_911_761_593_618_5),
            (log_ndtr(0.75), -0.256_994_266_838_365_24),
            (log_ndtr(1.5), -0.069_143_455_612_233_98),
            (log_ndtr(10.0), -7.619_853_024_160_525e-24),
            (log_ndtr(38.0), -2.885_428_35e-316),
        ];
        for (found, expected) in pairs {
            let error = (found - expected).abs() / expected.abs();
            assert!(error < 2e-15, "{found:e} is not {expected:e}");
        }
    }

    #[test]
    fn inverts_shares() {
        for share in [1e-300, 1e-30, 1e-9, 0.001, 0.074, 0.076, 0.3, 0.5, 0.8] {
            let error = log_ndtr(ndtri(share)) - share.ln();
            assert!(error.abs() < 2e-15 * (1.0 + share.ln().abs()), "{share:e}: {error:e}");
        }
        assert_eq!((ndtri(0.0), ndtri(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(ndtri(-0.1).is_nan() && erfinv(1.5).is_nan());
    }
}
