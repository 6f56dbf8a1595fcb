//! SIMD functions, where the processor has them: of one number at a time, and of many.

use super::{SPECIAL, Ulps, check, doubles, nans, singles};
use crate::simd::{Avx2, Avx512, Functions};

macro_rules! functions {
    ($isa:ident $module:ident $ty:ident $numbers:ident: $($name:ident $exact:ident $most:literal;)*) => {
        mod $module {
            use super::*;

            $(
                #[test]
                fn $name() {
                    let one = |x: $ty| {
                        let mut block = [x; 3];
                        $isa::$name(&mut block).then_some(block[2])
                    };
                    if one(1.0).is_none() {
                        return;
                    }
                    let function = |x| one(x).expect("it was there");
                    check(stringify!($name), $most, $numbers(), function, core_math::$exact);
                    let mut all: Vec<$ty> = $numbers().collect();
                    let each: Vec<$ty> = all.iter().map(|&x| function(x)).collect();
                    $isa::$name(&mut all);
                    for (a, b) in all.iter().zip(&each) {
                        assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
                    }
                    assert!(nans().all(|bits| function(f32::from_bits(bits).into()).is_nan()));
                }
            )*
        }
    };
}

macro_rules! of_each {
    ($isa:ident $single:ident $double:ident) => {
        functions! {
            $isa $single f32 singles:
            exp expf 1;
            exp2 exp2f 1;
            log logf 1;
            log2 log2f 1;
            log10 log10f 1;
            tanh tanhf 1;
            erf erff 1;
            erfc erfcf 2;
            sinh sinhf 1;
            cosh coshf 1;
            acos acosf 1;
            tan tanf 1;
        }

        functions! {
            $isa $double f64 doubles:
            exp exp 1;
            expm1 expm1 1;
            exp2 exp2 1;
            log log 1;
            log2 log2 1;
            log10 log10 1;
            erf erf 1;
            erfc erfc 2;
            sinh sinh 1;
            cosh cosh 1;
            atan atan 1;
            asinh asinh 1;
            sin sin 1;
            cos cos 1;
            tan tan 1;
        }
    };
}

of_each! { Avx2 avx2_single avx2_double }
of_each! { Avx512 avx512_single avx512_double }

/// A SIMD function, of one number.
fn only<T: Copy>(function: fn(&mut [T]) -> bool, x: T) -> Option<T> {
    let mut block = [x];
    function(&mut block).then_some(block[0])
}

#[test]
fn angles_of_points() {
    use super::SPECIAL;

    let all: Vec<f64> = doubles().chain(SPECIAL).collect();
    let mirrored: Vec<f64> = all.iter().rev().copied().collect();
    let near: Vec<f64> = all.iter().zip(&mirrored).map(|(x, y)| x * (y % 3.0)).collect();
    let special = SPECIAL.map(|it| vec![it; all.len()]);
    for others in special.iter().chain([&mirrored, &near]) {
        for (ys, xs) in [(&all, others), (others, &all)] {
            let mut angles = ys.clone();
            if !Avx512::atan2(&mut angles, xs) {
                return;
            }
            let mut first = [ys[7]; 3];
            Avx512::atan2(&mut first, &[xs[7]; 3]);
            assert_eq!(first[2].to_bits(), angles[7].to_bits());
            for ((y, x), angle) in ys.iter().zip(xs).zip(angles) {
                let exact = |_| core_math::atan2(*y, *x);
                check("atan2", 1, std::iter::once(*x), |_| angle, exact);
            }
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + core_math::exp(-x))
}

#[test]
fn sigmoid_and_silu() {
    if only(Avx512::sigmoid, 0.0_f32).is_none() {
        return;
    }
    let single = |function, x: f32| only(function, x).expect("it was there");
    let double = |function, x: f64| only(function, x).expect("it was there");
    let numbers = || singles().filter(|it| *it > -700.0);
    check("sigmoid", 2, numbers(), |x| single(Avx512::sigmoid, x), |x| sigmoid(x.into()) as f32);
    let numbers = || numbers().filter(|it| it.is_finite());
    check(
        "silu",
        4,
        numbers().filter(|it| *it > -87.0),
        |x| single(Avx512::silu, x),
        |x| (f64::from(x) * sigmoid(x.into())) as f32,
    );
    let numbers = || doubles().filter(|it| *it > -700.0 && it.is_finite());
    check("sigmoid", 4, numbers(), |x| double(Avx512::sigmoid, x), sigmoid);
    check("silu", 6, numbers(), |x| double(Avx512::silu, x), |x| x * sigmoid(x));
    assert!(nans().all(|bits| {
        let x = f32::from_bits(bits);
        single(Avx512::sigmoid, x).is_nan()
            && single(Avx512::silu, x).is_nan()
            && double(Avx512::sigmoid, x.into()).is_nan()
            && double(Avx512::silu, x.into()).is_nan()
    }));
}

macro_rules! powers {
    ($ty:ident $module:ident $exact:ident) => {
        /// Checks powers with each exponent, and with the only one.
        pub(super) fn $module(pairs: &[($ty, $ty)]) {
            let (mut each, exponents): (Vec<$ty>, Vec<$ty>) = pairs.iter().copied().unzip();
            if !Avx512::pow(&mut each, &exponents) {
                return;
            }
            for (&(x, y), power) in pairs.iter().zip(each) {
                let mut block = [x; 3];
                Avx512::pow(&mut block, &[y]);
                assert!(block.iter().all(|it| it.place() == power.place()), "{x:e} {y:e}");
                check("pow", 1, [x].into_iter(), |_| power, |x| core_math::$exact(x, y));
            }
        }
    };
}

mod powers {
    use super::*;

    powers! { f32 single powf }
    powers! { f64 double pow }
}

/// Each of the first numbers with each of the second ones, both ways.
fn pairs(first: impl Iterator<Item = f64> + Clone, second: &[f64]) -> Vec<(f64, f64)> {
    let each = |&y| first.clone().flat_map(move |x| [(x, y), (y, x)]);
    second.iter().flat_map(each).collect()
}

fn check_powers(pairs: &[(f64, f64)]) {
    powers::double(pairs);
    let narrow = |&(x, y): &(f64, f64)| (x as f32, y as f32);
    powers::single(&pairs.iter().map(narrow).collect::<Vec<_>>());
}

#[test]
fn powers_of_what_is_special() {
    check_powers(&pairs(SPECIAL.into_iter().chain(doubles().step_by(17)), &SPECIAL));
    check_powers(&pairs(singles().step_by(17).map(f64::from), &SPECIAL));
}

#[test]
fn powers_without_rounding() {
    let whole = |base: u64| {
        let powers = (0..).map_while(move |exponent| base.checked_pow(exponent));
        (0..).zip(powers.take_while(|it| *it < 1 << 53)).map(move |it| (base, it))
    };
    for (base, (exponent, expected)) in (2..=1000).flat_map(whole) {
        let (mut double, mut single) = ([base as f64], [base as f32]);
        if !Avx512::pow(&mut double, &[f64::from(exponent)])
            || !Avx512::pow(&mut single, &[exponent as f32])
        {
            return;
        }
        assert_eq!(double, [expected as f64], "{base} {exponent}");
        assert!(expected >= 1 << 24 || single == [expected as f32], "{base} {exponent}");
    }
}

/// Near the ends of what is representable, where most of a logarithm's digits count.
#[test]
fn large_and_small_powers() {
    let bases = || doubles().map(f64::abs).filter(|&it| it > 0.0 && it < f64::INFINITY);
    let near_one = || (-20_000..20_000).map(|it| 1.0 + f64::from(it) / 300_000.0);
    let bases = || bases().chain(near_one()).filter(|it| *it != 1.0);
    for end in [-744.0, -708.0, 709.0] {
        powers::double(&bases().map(|x| (x, end / x.ln())).collect::<Vec<_>>());
    }
    let narrow = || bases().map(|it| it as f32).filter(|&it| it > 0.0 && it < f32::INFINITY);
    for end in [-103.0, -87.0, 88.0] {
        let pairs = narrow().filter(|it| *it != 1.0).map(|x| (x, end / x.ln()));
        powers::single(&pairs.collect::<Vec<_>>());
    }
}

/// Whole and half quarters of turns, and their neighbours, where almost nothing is left.
fn check_angles_near_zeros<I: Functions<f64>>() {
    let quarters = (1..600_000).step_by(7).map(|it| f64::from(it) * std::f64::consts::FRAC_PI_4);
    let numbers = quarters.flat_map(|it| [it.next_down(), it, it.next_up(), -it]);
    let one = |function: fn(&mut [f64]) -> bool, x: f64| {
        let mut block = [x];
        function(&mut block).then_some(block[0])
    };
    if one(I::sin, 1.0).is_none() {
        return;
    }
    let of = |function| move |x| one(function, x).expect("it was there");
    check("sin", 1, numbers.clone(), of(I::sin), core_math::sin);
    check("cos", 1, numbers.clone(), of(I::cos), core_math::cos);
    check("tan", 1, numbers, of(I::tan), core_math::tan);
}

#[test]
fn angles_near_zeros() {
    check_angles_near_zeros::<Avx2>();
    check_angles_near_zeros::<Avx512>();
}

/// What is too large, or no number, does not change what is beside it.
fn check_angles_beside_others<I: Functions<f64>>() {
    const SIGNALLING: f64 = f64::from_bits(0x7ff0_0000_0000_0001);

    let all: Vec<f64> = (0..51).map(f64::from).collect();
    for place in 0..all.len() {
        for (other, next) in [(1e300, 1e300), (SIGNALLING, -1e6), (f64::NAN, f64::NAN)] {
            let mut angles = all.clone();
            angles[place] = other;
            angles[(place + 8) % all.len()] = next;
            let mut sines = angles.clone();
            if !I::sin(&mut sines) {
                return;
            }
            for (x, sine) in angles.into_iter().zip(sines) {
                check("sin", 1, [x].into_iter(), |_| sine, core_math::sin);
            }
        }
    }
}

#[test]
fn angles_beside_others() {
    check_angles_beside_others::<Avx2>();
    check_angles_beside_others::<Avx512>();
}

/// Beside the formula, with `erf` in `f64`.
#[test]
fn gelu_units() {
    let exact = |x: f64| x / 2.0 * core_math::erfc(-x / std::f64::consts::SQRT_2);
    for x in singles().filter(|it| (-12.0..100.0).contains(it)) {
        let mut block = [x];
        if !Avx512::gelu(&mut block) {
            return;
        }
        let exact = exact(x.into());
        let error = (f64::from(block[0]) - exact).abs();
        let size = exact.abs().max(f32::MIN_POSITIVE.into());
        assert!(error <= 3e-7 * size, "{x:e}: {error:e}");
    }
}
