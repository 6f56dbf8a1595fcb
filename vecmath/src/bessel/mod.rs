//! Bessel functions of the orders zero and one: those of the first and the second kind of `libm`,
//! modified ones by Chebyshev series of what is left without their exponential and root (Clenshaw,
//! 1962), Airy's in a file of its own. Errors: 12 ULP, but near zeros, where they are 1e-16 of the
//! amplitude, and near zero those of the logarithm in `k0`.
//!
//! What is infinite has no function of the first or second kind here, as PyTorch has it.

mod airy;
#[rustfmt::skip]
mod tables;

pub use self::airy::airy_ai;

use self::tables::{I0_FAR, I0_NEAR, I1_FAR, I1_NEAR, K0_FAR, K0_NEAR, K1_FAR, K1_NEAR};
use crate::chebyshev::series;

/// Up to here modified functions of the first kind have series in the argument, then in its inverse.
const FIRST_NEAR: f64 = 8.0;
/// The same of those of the second kind.
const SECOND_NEAR: f64 = 2.0;
/// Exponentials of greater numbers may be infinite.
const MOST: f64 = 700.0;

macro_rules! oscillating {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        pub fn $name(x: f64) -> f64 {
            if x.is_infinite() { f64::NAN } else { libm::$name(x) }
        }
    )*};
}

oscillating! {
    /// The function of the first kind of order zero.
    j0;
    /// That of order one.
    j1;
    /// The function of the second kind of order zero: NaN of negative numbers.
    y0;
    /// That of order one, likewise.
    y1;
}

/// `exp(x) * scaled` of a positive number, which may be finite where the exponential is not.
fn grown(x: f64, scaled: f64) -> f64 {
    if x < MOST {
        return x.exp() * scaled;
    }
    let half = (0.5 * x).exp();
    half * scaled * half
}

/// The modified function of the first kind of order zero. It is NaN of infinity, as PyTorch has it.
pub fn i0(x: f64) -> f64 {
    grown(x.abs(), i0e(x))
}

/// The same times `exp(-|x|)`.
pub fn i0e(x: f64) -> f64 {
    let size = x.abs();
    match size <= FIRST_NEAR {
        true => series(size / 4.0 - 1.0, &I0_NEAR),
        false => series(16.0 / size - 1.0, &I0_FAR) / size.sqrt(),
    }
}

/// The modified function of the first kind of order one. It is NaN of infinity, as PyTorch has it.
pub fn i1(x: f64) -> f64 {
    grown(x.abs(), i1e(x))
}

/// The same times `exp(-|x|)`.
pub fn i1e(x: f64) -> f64 {
    let size = x.abs();
    match size <= FIRST_NEAR {
        true => x * series(size / 4.0 - 1.0, &I1_NEAR) / (1.0 + size),
        false => (series(16.0 / size - 1.0, &I1_FAR) / size.sqrt()).copysign(x),
    }
}

/// The modified function of the second kind of order zero: NaN of negative numbers.
pub fn k0(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => k0_near(x),
        false => (-x).exp() * k0e(x),
    }
}

/// The same times `exp(x)`.
pub fn k0e(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => x.exp() * k0_near(x),
        false => series(4.0 / x - 1.0, &K0_FAR) / x.sqrt(),
    }
}

/// The logarithm is that of zero or of a negative number where there is no function.
fn k0_near(x: f64) -> f64 {
    series(0.5 * x * x - 1.0, &K0_NEAR) - (0.5 * x).ln() * i0(x)
}

/// The modified function of the second kind of order one: NaN of negative numbers.
pub fn k1(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => k1_near(x),
        false => (-x).exp() * k1e(x),
    }
}

/// The same times `exp(x)`.
pub fn k1e(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => x.exp() * k1_near(x),
        false => series(4.0 / x - 1.0, &K1_FAR) / x.sqrt(),
    }
}

fn k1_near(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY;
    }
    series(0.5 * x * x - 1.0, &K1_NEAR) / x + (0.5 * x).ln() * i1(x)
}

/// The spherical function of the first kind of order zero, `sin(x) / x`.
pub fn spherical_j0(x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

#[cfg(test)]
mod tests {
    use super::{airy_ai, i0, i0e, i1, i1e, j0, j1, k0, k0e, k1, k1e, spherical_j0, y0, y1};

    #[test]
    fn has_the_known_values() {
        let pairs = [
            (i0(0.25), 1.015_686_141_223_608),
            (i0(-3.0), 4.880_792_585_865_024_5),
            (i0(8.0), 427.564_115_721_804_8),
            (i0(8.25), 540.325_079_074_807),
            (i0(100.0), 1.073_751_707_131_073_8e42),
            (i0(712.0), 2.468_411_057_762_752_3e307),
            (i0e(1.0e-5), 0.999_990_000_074_999_6),
            (i0e(-7.0), 0.153_737_744_672_881_26),
            (i0e(9.0), 0.134_959_524_581_723),
            (i0e(1_000_000.0), 0.000_398_942_330_269_245_77),
            (k0(1.0e-5), 11.628_856_980_944_363),
            (k0(0.5), 0.924_419_071_227_665_9),
            (k0(1.75), 0.155_379_812_386_603_6),
            (k0(2.25), 0.084_043_111_974_658_11),
            (k0(30.0), 2.132_477_496_463_056_3e-14),
            (k0(700.0), 4.669_776_431_685_377e-306),
            (k0e(0.5), 1.524_109_385_773_909_4),
            (k0e(2.0), 0.841_568_215_070_771_4),
            (k0e(30.0), 0.227_886_665_616_253_73),
            (k0e(1_000_000.0), 0.001_253_313_980_651_321_3),
            (j0(0.5), 0.938_469_807_240_812_9),
            (j0(2.0), 0.223_890_779_141_235_67),
            (j0(20.0), 0.167_024_664_340_583_16),
            (y0(0.5), -0.444_518_733_506_706_56),
            (y0(2.0), 0.510_375_672_649_745_1),
            (y0(20.0), 0.062_640_596_809_383_83),
            (i1(0.25), 0.125_979_108_945_467_93),
            (i1(-3.0), -3.953_370_217_402_609_3),
            (i1(8.0), 399.873_136_782_560_1),
            (i1(8.25), 506.433_838_307_645_5),
            (i1(100.0), 1.068_369_390_338_162_5e42),
            (i1(712.0), 2.466_677_013_524_615_3e307),
            (i1e(1.0e-5), 4.999_950_000_312_499e-6),
            (i1e(-7.0), -0.142_289_234_709_598_67),
            (i1e(9.0), 0.127_224_983_935_891_2),
            (i1e(1_000_000.0), 0.000_398_942_130_798_030_8),
            (k1(1.0e-5), 99_999.999_939_355_71),
            (k1(0.5), 1.656_441_120_003_301),
            (k1(1.75), 0.195_477_453_474_393_02),
            (k1(2.25), 0.101_216_302_568_325_26),
            (k1(30.0), 2.167_732_001_891_549_5e-14),
            (k1(700.0), 4.673_110_796_707_966_4e-306),
            (k1e(0.5), 2.731_009_708_211_786),
            (k1e(2.0), 1.033_476_847_068_688_6),
            (k1e(30.0), 0.231_654_129_377_711_8),
            (k1e(1_000_000.0), 0.001_253_314_607_308_154_9),
            (j1(0.5), 0.242_268_457_674_873_9),
            (j1(2.0), 0.576_724_807_756_873_4),
            (j1(20.0), 0.066_833_124_175_850_05),
            (y1(0.5), -1.471_472_392_670_243),
            (y1(2.0), -0.107_032_431_540_937_54),
            (y1(20.0), -0.165_511_614_362_521_3),
        ];
        for (found, expected) in pairs {
            let error = (found - expected).abs() / expected.abs();
            assert!(error < 2e-14, "{found:e} is not {expected:e}");
        }
    }

    #[test]
    fn airy_has_the_known_values() {
        let pairs = [
            (airy_ai(-30.0), -0.087_968_188_456_842_16),
            (airy_ai(-3.5), -0.375_533_823_140_431_93),
            (airy_ai(-2.75), -0.268_490_545_912_597_1),
            (airy_ai(-1.0), 0.535_560_883_292_352_1),
            (airy_ai(0.0), 0.355_028_053_887_817_2),
            (airy_ai(1.5), 0.071_749_497_008_105_41),
            (airy_ai(2.0), 0.034_924_130_423_274_38),
            (airy_ai(2.25), 0.023_654_658_557_747_447),
            (airy_ai(8.0), 4.692_207_616_099_231_6e-8),
            (airy_ai(12.0), 1.393_184_688_875_360_7e-13),
        ];
        for (found, expected) in pairs {
            let error = (found - expected).abs() / expected.abs();
            assert!(error < 2e-14, "{found:e} is not {expected:e}");
        }
    }

    #[test]
    fn has_limits() {
        assert_eq!((k0(0.0), k1(0.0)), (f64::INFINITY, f64::INFINITY));
        assert_eq!((k0(f64::INFINITY), k1e(f64::INFINITY)), (0.0, 0.0));
        assert_eq!((i0e(f64::INFINITY), i1e(f64::NEG_INFINITY)), (0.0, -0.0));
        assert_eq!((spherical_j0(0.0), spherical_j0(f64::INFINITY)), (1.0, 0.0));
        assert!(
            [k0(-1.0), k1(-1.0), y0(-1.0), j0(f64::INFINITY), i0(f64::INFINITY)]
                .iter()
                .all(|it| it.is_nan())
        );
    }
}
