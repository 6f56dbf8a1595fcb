//! Distances from correctly rounded results.

use super::{double, range, single};
use crate::round::Round;

/// A floating type and its numbers in their order.
trait Ulps: Copy + std::fmt::LowerExp {
    /// The place among all numbers; NaNs are one place.
    fn place(self) -> i64;
}

impl Ulps for f32 {
    fn place(self) -> i64 {
        let bits = i64::from(self.abs().to_bits());
        match self.is_nan() {
            true => i64::MAX,
            false if self.is_sign_negative() => -1 - bits,
            false => bits,
        }
    }
}

impl Ulps for f64 {
    fn place(self) -> i64 {
        let bits = self.abs().to_bits() as i64;
        match self.is_nan() {
            true => i64::MAX,
            false if self.is_sign_negative() => -1 - bits,
            false => bits,
        }
    }
}

/// All kinds of `f32`, among them every exponent.
fn singles() -> impl Iterator<Item = f32> + Clone {
    const STEP: u32 = 16_411;
    // A NaN that signals makes others of numbers that are powers of anything.
    (0..=u32::MAX / STEP).map(|it| f32::from_bits(it * STEP)).filter(|it| !it.is_nan())
}

/// All kinds of `f64`: those of every exponent, and more of those near one and below 1,000.
fn doubles() -> impl Iterator<Item = f64> + Clone {
    let bits = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let unit = move |at: u64| bits(at) as f64 / 2.0_f64.powi(64);
    let spread = (0..100_000).map(move |it| f64::from_bits(bits(it)));
    let signed = [-1000.0, -30.0, -2.0, -1.0, 1.0, 2.0, 30.0, 1000.0];
    let near = signed.into_iter().flat_map(move |most| (0..40_000).map(move |it| most * unit(it)));
    let special = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, f64::MAX];
    special.into_iter().chain(spread.filter(|it| !it.is_nan())).chain(near)
}

#[track_caller]
fn check<T: Ulps>(
    name: &str,
    most: i64,
    numbers: impl Iterator<Item = T>,
    function: impl Fn(T) -> T,
    exact: impl Fn(T) -> T,
) {
    for x in numbers {
        let (actual, expected) = (function(x), exact(x));
        let distance = actual.place().abs_diff(expected.place());
        assert!(
            distance <= most as u64,
            "{name}({x:e}): {actual:e} instead of {expected:e}, {distance} units"
        );
    }
}

/// Numbers that are none, with all kinds of bits beside.
fn nans() -> impl Iterator<Item = u32> {
    (1..1 << 22).step_by(997).flat_map(|it| [0x7fc0_0000 | it, 0xffc0_0000 | it])
}

macro_rules! functions {
    ($($name:ident $exact:ident $exact_single:ident $most:literal;)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            check(name, $most, doubles(), double::$name::<false>, core_math::$exact);
            check(name, $most, doubles(), double::$name::<true>, core_math::$exact);
            check(name, $most, singles(), single::$name::<false>, core_math::$exact_single);
            check(name, $most, singles(), single::$name::<true>, core_math::$exact_single);
            for bits in nans() {
                let (single, double) = (f32::from_bits(bits), f64::from_bits(0x7ff8 << 48 | u64::from(bits)));
                assert!(single::$name::<false>(single).is_nan(), "{name} {bits:x}");
                assert!(single::$name::<true>(single).is_nan(), "{name} {bits:x}");
                assert!(double::$name::<false>(double).is_nan(), "{name} {bits:x}");
                assert!(double::$name::<true>(double).is_nan(), "{name} {bits:x}");
            }
        }
    )*};
}

functions! {
    exp exp expf 1;
    exp2 exp2 exp2f 1;
    expm1 expm1 expm1f 1;
    log log logf 1;
    log1p log1p log1pf 1;
    log2 log2 log2f 1;
    log10 log10 log10f 1;
    sinh sinh sinhf 1;
    cosh cosh coshf 1;
    tanh tanh tanhf 2;
    asin asin asinf 1;
    acos acos acosf 1;
    atan atan atanf 1;
    erf erf erff 1;
    erfc erfc erfcf 2;
    asinh asinh asinhf 1;
    acosh acosh acoshf 1;
    atanh atanh atanhf 1;
}

mod lanes;
#[cfg(target_arch = "x86_64")]
mod simd;

macro_rules! angles {
    ($($name:ident $exact:ident $exact_single:ident;)*) => {$(
        #[test]
        fn $name() {
            let name = stringify!($name);
            let in_range = doubles().filter(|&it| double::is_in_range(it));
            check(name, 1, in_range.clone(), double::$name::<false>, core_math::$exact);
            check(name, 1, in_range, double::$name::<true>, core_math::$exact);
            let in_range = singles().filter(|&it| single::is_in_range(it));
            check(name, 1, in_range.clone(), single::$name::<false>, core_math::$exact_single);
            check(name, 1, in_range, single::$name::<true>, core_math::$exact_single);
        }
    )*};
}

angles! {
    sin sin sinf;
    cos cos cosf;
    tan tan tanf;
}

macro_rules! in_range {
    ($($test:ident: $name:ident $in_range_name:ident $is_in_range:ident;)*) => {$(
        #[test]
        fn $test() {
            for x in doubles().filter(|&it| range::double::$is_in_range(&[it])) {
                let bits = |it: f64| it.to_bits();
                assert_eq!(bits(double::$in_range_name::<false>(x)), bits(double::$name::<false>(x)), "{x:e}");
                assert_eq!(bits(double::$in_range_name::<true>(x)), bits(double::$name::<true>(x)), "{x:e}");
            }
            for x in singles().filter(|&it| range::single::$is_in_range(&[it])) {
                let bits = |it: f32| it.to_bits();
                assert_eq!(bits(single::$in_range_name::<false>(x)), bits(single::$name::<false>(x)), "{x:e}");
                assert_eq!(bits(single::$in_range_name::<true>(x)), bits(single::$name::<true>(x)), "{x:e}");
            }
        }
    )*};
}

in_range! {
    exp_in_range: exp exp_in_range exponents;
    exp2_in_range: exp2 exp2_in_range exponents;
    expm1_in_range: expm1 expm1_in_range exponents;
    log_in_range: log log_in_range positive;
    log2_in_range: log2 log2_in_range positive;
    log10_in_range: log10 log10_in_range positive;
    log1p_in_range: log1p log1p_in_range above_minus_one;
}

fn pow_is_the_same_in_range<const FMA: bool>() {
    for y in SPECIAL {
        for x in doubles().step_by(17).flat_map(|it| [it, it.abs()]).chain(SPECIAL) {
            for (x, y) in [(x, y), (y, x)] {
                if range::double::positive(&[x]) && range::double::finite(&[y]) {
                    let in_range = double::pow_in_range::<FMA>(x, y);
                    assert_eq!(
                        in_range.to_bits(),
                        double::pow::<FMA>(x, y).to_bits(),
                        "{x:e} {y:e}"
                    );
                }
                let (x, y) = (x as f32, y as f32);
                if range::single::positive(&[x]) && range::single::finite(&[y]) {
                    let in_range = single::pow_in_range::<FMA>(x, y);
                    assert_eq!(
                        in_range.to_bits(),
                        single::pow::<FMA>(x, y).to_bits(),
                        "{x:e} {y:e}"
                    );
                }
            }
        }
    }
}

fn atan2_is_the_same_in_range<const FMA: bool>() {
    for y in SPECIAL {
        for x in doubles().step_by(17).chain(SPECIAL) {
            for (x, y) in [(x, y), (y, x), (x, 1e3 * x), (x, x * 1e-9)] {
                if range::double::ordinates(&[x, y]) {
                    let in_range = double::atan2_in_range::<FMA>(y, x);
                    assert_eq!(
                        in_range.to_bits(),
                        double::atan2::<FMA>(y, x).to_bits(),
                        "{y:e} {x:e}"
                    );
                }
                let (x, y) = (x as f32, y as f32);
                if range::single::ordinates(&[x, y]) {
                    let in_range = single::atan2_in_range::<FMA>(y, x);
                    assert_eq!(
                        in_range.to_bits(),
                        single::atan2::<FMA>(y, x).to_bits(),
                        "{y:e} {x:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn atan2_in_range() {
    atan2_is_the_same_in_range::<false>();
    atan2_is_the_same_in_range::<true>();
}

#[test]
fn pow_in_range() {
    pow_is_the_same_in_range::<false>();
    pow_is_the_same_in_range::<true>();
}

/// What functions of two treat in ways of its own.
const SPECIAL: [f64; 21] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    3.0,
    -3.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    5e-324,
    -5e-324,
    1e308,
    -1e308,
    1e17,
    9_007_199_254_740_991.0,
    0.3,
    -0.3,
];

fn atan2_is_exact<const FMA: bool>() {
    for y in SPECIAL {
        let numbers = || SPECIAL.into_iter().chain(doubles().step_by(17));
        check("atan2", 1, numbers(), |x| double::atan2::<FMA>(x, y), |x| core_math::atan2(x, y));
        check("atan2", 1, numbers(), |x| double::atan2::<FMA>(y, x), |x| core_math::atan2(y, x));
        let (y, numbers) = (y as f32, || singles().step_by(17));
        check("atan2", 1, numbers(), |x| single::atan2::<FMA>(x, y), |x| core_math::atan2f(x, y));
        check("atan2", 1, numbers(), |x| single::atan2::<FMA>(y, x), |x| core_math::atan2f(y, x));
    }
    // Any two of like size.
    let all: Vec<f64> = doubles().collect();
    for (&x, &y) in all.iter().zip(&all[1..]) {
        let only = || [x, x * 1e-160, x * 1e160].into_iter();
        check("atan2", 1, only(), |x| double::atan2::<FMA>(y, x), |x| core_math::atan2(y, x));
        check("atan2", 1, only(), |x| double::atan2::<FMA>(x, y), |x| core_math::atan2(x, y));
    }
}

fn pow_is_exact<const FMA: bool>() {
    for y in SPECIAL {
        let numbers = || SPECIAL.into_iter().chain(doubles().step_by(17));
        check("pow", 1, numbers(), |x| double::pow::<FMA>(x, y), |x| core_math::pow(x, y));
        check("pow", 1, numbers(), |x| double::pow::<FMA>(y, x), |x| core_math::pow(y, x));
        let (y, numbers) = (y as f32, || singles().step_by(17));
        check("pow", 1, numbers(), |x| single::pow::<FMA>(x, y), |x| core_math::powf(x, y));
        check("pow", 1, numbers(), |x| single::pow::<FMA>(y, x), |x| core_math::powf(y, x));
    }
    // Powers that are whole numbers without rounding.
    for base in 2..=1000_u64 {
        let powers =
            (0..).map_while(|exponent| base.checked_pow(exponent)).take_while(|it| *it < 1 << 53);
        for (exponent, expected) in powers.enumerate() {
            assert_eq!(double::pow::<FMA>(base as f64, exponent as f64), expected as f64);
            if expected < 1 << 24 {
                assert_eq!(single::pow::<FMA>(base as f32, exponent as f32), expected as f32);
            }
        }
    }
    // Large powers of what is near one.
    for x in doubles().filter(|it| (0.5..2.0).contains(it)).step_by(7) {
        let y = 700.0 / x.ln();
        check(
            "pow",
            1,
            [y, -y].into_iter(),
            |y| double::pow::<FMA>(x, y),
            |y| core_math::pow(x, y),
        );
    }
}

#[test]
fn hypot() {
    for y in SPECIAL {
        let numbers = || SPECIAL.into_iter().chain(doubles().step_by(17));
        check("hypot", 1, numbers(), |x| double::hypot::<false>(x, y), |x| core_math::hypot(x, y));
        check("hypot", 1, numbers(), |x| double::hypot::<true>(y, x), |x| core_math::hypot(y, x));
        let (y, numbers) = (y as f32, || singles().step_by(17));
        let exact = |x| core_math::hypotf(x, y);
        check("hypot", 1, numbers(), |x| single::hypot::<false>(x, y), exact);
        check("hypot", 1, numbers(), |x| single::hypot::<true>(x, y), exact);
    }
}

#[test]
fn remainders_are_exact() {
    let all: Vec<f64> = doubles().collect();
    let (mut seen, mut beyond) = (0, 0);
    let pairs = all.iter().zip(all[1..].iter().chain(&SPECIAL));
    // Quotients that are nearly whole, too.
    let near = all.iter().zip(&all[7..]).map(|(a, b)| ((a * 1e3).round() * b, *b));
    for (a, b) in pairs.map(|(a, b)| (*a, *b)).chain(near) {
        if double::quotient_is_exact(a, b) {
            seen += 1;
            beyond += usize::from((a / b).trunc() * b > a);
            assert_eq!(double::rest::<false>(a, b).to_bits(), (a % b).to_bits(), "{a:e} % {b:e}");
            assert_eq!(double::rest::<true>(a, b).to_bits(), (a % b).to_bits(), "{a:e} % {b:e}");
        }
        let (a, b) = (a as f32, b as f32);
        if single::quotient_is_exact(a, b) {
            assert_eq!(single::rest::<false>(a, b).to_bits(), (a % b).to_bits(), "{a:e} % {b:e}");
            assert_eq!(single::rest::<true>(a, b).to_bits(), (a % b).to_bits(), "{a:e} % {b:e}");
        }
    }
    assert!(seen > 10_000 && beyond > 100, "{seen} {beyond}");
}

#[test]
fn atan2() {
    atan2_is_exact::<false>();
    atan2_is_exact::<true>();
}

#[test]
fn pow() {
    pow_is_exact::<false>();
    pow_is_exact::<true>();
}

#[test]
fn rounding_is_exact() {
    check("to_nearest", 0, singles(), f32::to_nearest, f32::round_ties_even);
    check("down", 0, singles(), f32::down, f32::floor);
    check("up", 0, singles(), f32::up, f32::ceil);
    check("towards_zero", 0, singles(), f32::towards_zero, f32::trunc);
    check("to_nearest", 0, doubles(), f64::to_nearest, f64::round_ties_even);
    check("down", 0, doubles(), f64::down, f64::floor);
    check("up", 0, doubles(), f64::up, f64::ceil);
    check("towards_zero", 0, doubles(), f64::towards_zero, f64::trunc);
}

#[test]
fn turns_go_round() {
    for i in 0..1000 {
        let turns = i as f32 / 1000.0;
        let (sine, cosine) = single::sin_cos_of_turns(turns);
        let angle = f64::from(turns) * std::f64::consts::TAU;
        assert!((f64::from(sine) - angle.sin()).abs() < 2e-7, "{turns}");
        assert!((f64::from(cosine) - angle.cos()).abs() < 2e-7, "{turns}");
    }
}
