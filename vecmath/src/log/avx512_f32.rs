//! Logarithms of `f32`, as those of `f64`.

use std::arch::x86_64::*;

use crate::simd::broadcast_ps;
use crate::simd::single::lookup;
use crate::single;

/// A logarithm of numbers around one, in 32 parts.
struct Base {
    /// Almost the inverse of the number in the middle.
    inverses: [f32; 32],
    /// The opposite of its logarithm, whose last bit is 2^-17 or more.
    logarithms: [f32; 32],
    /// The logarithm of two over 2^23, the first part with so few bits that nothing is lost of its
    /// product with an exponent and of the sum with one of the above.
    of_two: [f32; 2],
    /// One over the natural logarithm of the base.
    inverse: [f32; 2],
    /// That of `1 + f` less `f * inverse`, over `f^2`, where `f` is from -0.027 to 0.042 (Remez' algorithm).
    terms: [f32; 4],
}

/// The logarithm of a positive number `m * 2^e`, likewise, and `m` is from 0.71 to 1.42: where `e` is
/// zero, the first part counts, and where it is not, what is lost of the second does not.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn logarithm(x: __m512, base: &Base, special: fn(f32) -> f32) -> __m512 {
    /// The bits of the least `m`.
    const LEAST: i32 = 0x3f355555;
    /// What is no positive normal number, and infinity.
    const SPECIAL: i32 = 0xff;

    // 1. x = m * 2^e
    let bits = _mm512_castps_si512(x);
    let above = _mm512_sub_epi32(bits, _mm512_set1_epi32(LEAST));
    let exponent = _mm512_and_si512(above, _mm512_set1_epi32(-1 << 23));
    let m = _mm512_castsi512_ps(_mm512_sub_epi32(bits, exponent));
    let e = _mm512_cvtepi32_ps(exponent);
    // 2. m = (1 + f) / r
    let places = _mm512_srli_epi32::<18>(above);
    let r = lookup(&base.inverses, places);
    let f = _mm512_fmsub_ps(m, r, _mm512_set1_ps(1.0));
    // 3. e * of_two - log(r), which is exact, + log(1 + f)
    let [of_two, of_two_rest] = broadcast_ps(&base.of_two);
    let high = _mm512_fmadd_ps(e, of_two, lookup(&base.logarithms, places));
    let [first, second, third, fourth] = broadcast_ps(&base.terms);
    let p = _mm512_fmadd_ps(_mm512_fmadd_ps(fourth, f, third), f, second);
    let p = _mm512_fmadd_ps(p, f, first);
    let [inverse, inverse_rest] = base.inverse;
    let low = if inverse == 1.0 {
        _mm512_fmadd_ps(_mm512_mul_ps(f, f), p, _mm512_fmadd_ps(e, of_two_rest, f))
    } else {
        let p = _mm512_fmadd_ps(f, p, _mm512_set1_ps(inverse_rest));
        let low = match base.of_two {
            [_, 0.0] => _mm512_mul_ps(f, p),
            _ => _mm512_fmadd_ps(f, p, _mm512_mul_ps(e, of_two_rest)),
        };
        _mm512_fmadd_ps(f, _mm512_set1_ps(inverse), low)
    };
    let y = _mm512_add_ps(high, low);
    match _mm512_fpclass_ps_mask::<SPECIAL>(x) {
        0 => y,
        are_special => _mm512_mask_mov_ps(y, are_special, one_by_one(x, special)),
    }
}

#[target_feature(enable = "avx512f")]
#[cold]
fn one_by_one(x: __m512, function: fn(f32) -> f32) -> __m512 {
    let mut numbers = [0.0; 16];
    // SAFETY: the numbers are as many as a register has.
    unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), x) };
    let numbers = numbers.map(function);
    // SAFETY: likewise.
    unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn log_of(x: __m512) -> __m512 {
    logarithm(x, &NATURAL, single::log::<false>)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn log2_of(x: __m512) -> __m512 {
    logarithm(x, &BINARY, single::log2::<false>)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn log10_of(x: __m512) -> __m512 {
    logarithm(x, &DECIMAL, single::log10::<false>)
}

/// Natural logarithms.
static NATURAL: Base = Base {
    inverses: [
        1.396_233_7,
        1.367_432_5,
        1.338_908_7,
        1.311_49,
        1.283_976_4,
        1.259_459_1,
        1.235_230_9,
        1.210_341_7,
        1.188_345_1,
        1.166_267_6,
        1.146_986_8,
        1.126_287_7,
        1.107_625_6,
        1.088_882_2,
        1.068_571_1,
        1.053_072_5,
        1.032_357_6,
        1.0,
        1.0,
        1.0,
        0.946_217_7,
        0.917_861_64,
        0.892_252_56,
        0.869_756_8,
        0.844_767_75,
        0.824_248_6,
        0.804_209_5,
        0.784_549_8,
        0.764_979_54,
        0.747_486_9,
        0.729_737,
        0.714_684_1,
    ],
    logarithms: [
        -0.333_778_38,
        -0.312_934_88,
        -0.291_854_86,
        -0.271_163_94,
        -0.249_961_85,
        -0.230_682_37,
        -0.211_257_93,
        -0.190_902_71,
        -0.172_561_65,
        -0.153_808_6,
        -0.137_138_37,
        -0.118_927,
        -0.102_218_63,
        -0.085_151_67,
        -0.066_322_33,
        -0.051_712_036,
        -0.031_845_093,
        0.0,
        0.0,
        0.0,
        0.055_282_593,
        0.085_708_62,
        0.114_006_04,
        0.139_541_63,
        0.168_693_54,
        0.193_283_08,
        0.217_895_51,
        0.242_645_26,
        0.267_906_2,
        0.291_038_5,
        0.315_071_1,
        0.335_914_6,
    ],
    of_two: [8.262941e-08, 1.703032e-13],
    inverse: [1.0, 0.0],
    terms: [-0.499_999_97, 0.333_336_9, -0.250_132_92, 0.194_280_28],
};

/// Those to base two.
static BINARY: Base = Base {
    inverses: [
        1.396_134_3,
        1.366_731,
        1.338_534_5,
        1.311_585_3,
        1.283_569,
        1.259_010_8,
        1.234_504_6,
        1.211_250_2,
        1.188_842_4,
        1.167_182_4,
        1.145_196_2,
        1.127_147_3,
        1.106_599_7,
        1.086_869_1,
        1.069_660_3,
        1.051_572_2,
        1.033_177_9,
        1.0,
        1.0,
        1.0,
        0.946_637,
        0.919_504_9,
        0.893_750_5,
        0.868_758_8,
        0.846_030_4,
        0.824_171_2,
        0.803_688_1,
        0.783_511_04,
        0.764_232_46,
        0.746_738_14,
        0.730_134_5,
        0.714_670_6,
    ],
    logarithms: [
        -0.481_437_68,
        -0.450_729_37,
        -0.420_654_3,
        -0.391_311_65,
        -0.360_160_83,
        -0.332_290_65,
        -0.303_932_2,
        -0.276_496_9,
        -0.249_557_5,
        -0.223_030_09,
        -0.195_594_79,
        -0.172_676_09,
        -0.146_133_42,
        -0.120_178_22,
        -0.097_152_71,
        -0.072_547_91,
        -0.047_088_623,
        0.0,
        0.0,
        0.0,
        0.079_116_82,
        0.121_070_86,
        0.162_055_97,
        0.202_972_41,
        0.241_218_57,
        0.278_984_07,
        0.315_292_36,
        0.351_974_5,
        0.387_916_56,
        0.421_325_68,
        0.453_765_87,
        0.484_649_66,
    ],
    of_two: [1.1920929e-07, 0.0],
    inverse: [1.442_695, 1.925963e-08],
    terms: [-0.721_347_5, 0.480_903_48, -0.360_865_53, 0.280_287_2],
};

/// Those to base ten.
static DECIMAL: Base = Base {
    inverses: [
        1.397_388_2,
        1.366_437,
        1.337_204_5,
        1.311_405,
        1.284_951_4,
        1.258_434_5,
        1.234_501_7,
        1.211_449_6,
        1.188_723_6,
        1.166_300_9,
        1.147_340_7,
        1.125_184_5,
        1.105_804_3,
        1.088_611_4,
        1.069_241,
        1.053_116,
        1.034_104_7,
        1.0,
        1.0,
        1.0,
        0.945_202_6,
        0.919_037_3,
        0.892_890_16,
        0.868_935_9,
        0.845_505_4,
        0.823_690_1,
        0.803_650_9,
        0.782_805_5,
        0.765_426_5,
        0.747_973_3,
        0.729_058_6,
        0.714_414_9,
    ],
    logarithms: [
        -0.145_317_08,
        -0.135_589_6,
        -0.126_197_81,
        -0.117_736_82,
        -0.108_886_72,
        -0.099_830_63,
        -0.091_491_7,
        -0.083_305_36,
        -0.075_080_87,
        -0.066_810_61,
        -0.059_692_383,
        -0.051_223_755,
        -0.043_678_284,
        -0.036_872_864,
        -0.029_075_623,
        -0.022_476_196,
        -0.014_564_514,
        0.0,
        0.0,
        0.0,
        0.024_475_098,
        0.036_666_87,
        0.049_201_965,
        0.061_012_268,
        0.072_883_606,
        0.084_236_145,
        0.094_932_556,
        0.106_346_13,
        0.116_096_5,
        0.126_113_89,
        0.137_237_55,
        0.146_049_5,
    ],
    of_two: [3.5885023e-08, 5.4896344e-13],
    inverse: [0.434_294_5, -1.010305e-08],
    terms: [-0.217_147_23, 0.144_766_38, -0.108_631_35, 0.084_374_86],
};
