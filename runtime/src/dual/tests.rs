//! Derivatives, compared with differences of values.

use num_traits::Float as _;

use super::Dual;
use crate::dtype::{Float, Ordered, Real};

type First = Dual<f64>;
type Second = Dual<First>;

const STEP: f64 = 1e-5;

/// A function of one number, for numbers and for duals of both orders.
struct Case {
    name: &'static str,
    plain: fn(f64) -> f64,
    first: fn(First) -> First,
    second: fn(Second) -> Second,
    at: &'static [f64],
}

macro_rules! cases {
    ($(($at:expr) $name:literal $function:expr;)*) => {
        vec![$(Case {
            name: $name,
            plain: |it| { fn generic<T: Float>(x: T) -> T { ($function)(x) } generic(it) },
            first: |it| { fn generic<T: Float>(x: T) -> T { ($function)(x) } generic(it) },
            second: |it| { fn generic<T: Float>(x: T) -> T { ($function)(x) } generic(it) },
            at: &$at,
        }),*]
    };
}

fn two<T: Float>() -> T {
    T::constant(2.0)
}

fn of_one() -> Vec<Case> {
    cases! {
        ([-1.5, 0.25, 2.5]) "floor" |x: T| x.floor();
        ([-1.3, 0.25, 2.5]) "ceil" |x: T| x.ceil();
        ([-1.3, 0.25, 2.6]) "round" |x: T| x.round();
        ([-1.3, 0.25, 2.6]) "trunc" |x: T| x.trunc();
        ([-1.3, 0.25, 2.6]) "fract" |x: T| x.fract();
        ([-1.3, 2.6]) "signum" |x: T| x.signum();
        ([-1.3, 2.6]) "abs" |x: T| x.abs();
        ([-1.3, 2.6]) "recip" |x: T| x.recip();
        ([0.3, 2.6]) "sqrt" |x: T| x.sqrt();
        ([-1.3, 2.6]) "cbrt" |x: T| x.cbrt();
        ([-1.3, 2.6]) "exp" |x: T| x.exp();
        ([-1.3, 2.6]) "exp2" |x: T| x.exp2();
        ([-1.3, 1e-3]) "exp_m1" |x: T| x.exp_m1();
        ([0.3, 2.6]) "ln" |x: T| x.ln();
        ([-0.3, 2.6]) "ln_1p" |x: T| x.ln_1p();
        ([0.3, 2.6]) "log2" |x: T| x.log2();
        ([0.3, 2.6]) "log10" |x: T| x.log10();
        ([-1.3, 2.6]) "sin" |x: T| x.sin();
        ([-1.3, 2.6]) "cos" |x: T| x.cos();
        ([-1.3, 2.6]) "tan" |x: T| x.tan();
        ([-0.3, 0.6]) "asin" |x: T| x.asin();
        ([-0.3, 0.6]) "acos" |x: T| x.acos();
        ([-1.3, 2.6]) "atan" |x: T| x.atan();
        ([-1.3, 2.6]) "sinh" |x: T| x.sinh();
        ([-1.3, 2.6]) "cosh" |x: T| x.cosh();
        ([-1.3, 0.6]) "tanh" |x: T| x.tanh();
        ([-1.3, 2.6]) "asinh" |x: T| x.asinh();
        ([1.3, 2.6]) "acosh" |x: T| x.acosh();
        ([-0.3, 0.6]) "atanh" |x: T| x.atanh();
        ([-1.3, 2.6]) "to_degrees" |x: T| x.to_degrees();
        ([-1.3, 2.6]) "to_radians" |x: T| x.to_radians();
        ([-1.3, 2.6]) "powi" |x: T| x.powi(3) + x.powi(-2) + x.powi(1) + x.powi(0);
        ([0.3, 2.6]) "powf by the base" |x: T| x.powf(T::constant(2.5));
        ([-0.3, 2.6]) "powf by the power" |x: T| T::constant(1.5).powf(x);
        ([0.3, 2.6]) "log by the number" |x: T| x.log(T::constant(3.0));
        ([0.3, 2.6]) "log by the base" |x: T| T::constant(3.0).log(x);
        ([-1.3, 2.6]) "sin_cos" |x: T| x.sin_cos().0 * x.sin_cos().1;
        ([-1.3, 2.6]) "negated" |x: T| -x;
        ([-1.3, 2.6]) "plus" |x: T| x + two::<T>() + x;
        ([-1.3, 2.6]) "minus" |x: T| two::<T>() - x - x * x;
        ([-1.3, 2.6]) "times" |x: T| x * x * two::<T>();
        ([-1.3, 2.6]) "by" |x: T| two::<T>() / x + x / two::<T>();
    }
}

fn of_several() -> Vec<Case> {
    cases! {
        ([-1.3, 2.6]) "rest" |x: T| x % two::<T>();
        ([1.3, 2.6]) "rest by the second" |x: T| T::constant(7.0) % x;
        ([-1.3, 2.6]) "mul_add" |x: T| x.mul_add(x, x) + two::<T>().mul_add(x, two::<T>());
        ([-1.3, 2.6]) "max" |x: T| (x * x).max(x * two::<T>());
        ([-1.3, 2.6]) "min" |x: T| (x * x).min(x * two::<T>());
        ([-1.3, 0.2, 2.6]) "clamp" |x: T| (x * x).clamp(T::constant(0.1), two::<T>());
        ([-1.3, 2.6]) "abs_sub" |x: T| (x * x).abs_sub(two::<T>());
        ([-1.3, 2.6]) "hypot" |x: T| x.hypot(two::<T>()) + two::<T>().hypot(x * x);
        ([-1.3, 2.6]) "atan2" |x: T| x.atan2(two::<T>()) + two::<T>().atan2(x);
        ([-1.3, 2.6]) "copysign" |x: T| (x * x).copysign(x) + x.copysign(two::<T>().negated());
        ([-1.3, 2.6]) "numbers" |x: T| x.times(x).plus(T::ONE).minus(x).negated();
        ([-1.3, 2.6]) "cast" |x: T| x * <T as num_traits::NumCast>::from(2.5_f64).unwrap();
        ([-1.3, 2.6]) "known" |x: T| x * T::PI() + T::TAU() + T::LOG10_2() + T::E();
        ([-1.3, 2.6]) "a branch" |x: T| if x < T::ZERO { x * x } else { x.sin() };
        ([-1.3, 2.6]) "several" |x: T| (x.sin() * x.exp() / (x * x + T::ONE)).tanh();
    }
}

#[track_caller]
fn near(name: &str, at: f64, found: f64, expected: f64, tolerance: f64) {
    let scale = expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= tolerance * scale,
        "{name} at {at}: {found} instead of {expected}"
    );
}

#[test]
fn derivatives_are_those_of_differences() {
    for Case { name, plain, first, second, at } in of_one().into_iter().chain(of_several()) {
        for &at in at {
            let dual = first(Dual::new(at, 1.0));
            assert_eq!(dual.value, plain(at), "{name} at {at}");
            let difference = (plain(at + STEP) - plain(at - STEP)) / (2.0 * STEP);
            near(name, at, dual.slope, difference, 1e-7);
            let slope = |at: f64| first(Dual::new(at, 1.0)).slope;
            let difference = (slope(at + STEP) - slope(at - STEP)) / (2.0 * STEP);
            let twice = second(Dual::new(Dual::new(at, 1.0), Dual::new(1.0, 0.0)));
            near(name, at, twice.slope.slope, difference, 1e-6);
            assert_eq!((twice.value.value, twice.slope.value), (dual.value, dual.slope), "{name}");
            let constant = first(Dual::constant(at));
            assert_eq!((constant.value, constant.slope), (plain(at), 0.0), "{name} of a constant");
        }
    }
}

#[test]
fn single_precision_has_the_same_derivatives() {
    fn function<T: Float>(x: T) -> T {
        (x * x).sin() + x.exp() / two::<T>()
    }
    let (single, double) = (function(Dual::new(0.7_f32, 1.0)), function(Dual::new(0.7_f64, 1.0)));
    near("single", 0.7, f64::from(single.slope), double.slope, 1e-6);
}

#[test]
fn what_is_constant_has_no_derivative_at_all() {
    let at = |x: f64| Dual::new(x, 1.0);
    // The derivative by the power is not a number here, and nobody asks for it.
    assert_eq!(at(-2.0).powf(Dual::constant(2.0)).slope, -4.0);
    assert_eq!((at(f64::INFINITY) * Dual::constant(0.5)).slope, 0.5);
    assert_eq!((Dual::constant(0.0_f64).sqrt() + at(1.0)).slope, 1.0);
    assert_eq!((at(3.0) / Dual::constant(f64::INFINITY)).slope, 0.0);
    // What is zero here may have a derivative of its own.
    let square = Dual::new(Dual::new(0.0, 1.0), Dual::new(1.0, 0.0)).powi(2);
    assert_eq!((square * Dual::constant(Dual::constant(5.0))).slope.slope, 10.0);
}

#[test]
fn kinks_have_one_of_their_derivatives() {
    let at = |x: f64| Dual::new(x, 1.0);
    assert_eq!(at(0.0).abs().slope, 0.0);
    assert_eq!(at(1.0).max(Dual::constant(1.0)).slope, 1.0);
    assert_eq!(Dual::constant(1.0).max(at(1.0)).slope, 0.0);
    assert_eq!(at(1.0).clamp(Dual::constant(0.0), Dual::constant(1.0)).slope, 1.0);
    assert_eq!(at(0.0).hypot(at(0.0)).slope, 0.0);
    assert_eq!(at(0.0).atan2(Dual::constant(0.0)).slope, 0.0);
    assert_eq!(at(0.0).powf(Dual::constant(0.0)).slope, 0.0);
    assert_eq!(at(0.0).powi(0).slope, 0.0);
    assert_eq!(at(0.0).sqrt().slope, f64::INFINITY);
    assert!(at(f64::NAN).abs().slope.is_nan());
    assert_eq!(at(2.0).max(Dual::constant(f64::NAN)).slope, 1.0);
}

#[test]
fn questions_are_about_values() {
    let (low, high) = (Dual::new(1.0, 5.0), Dual::new(2.0, -5.0));
    assert!(low < high && low != high && low == Dual::constant(1.0));
    assert!(!Ordered::is_nan(low) && Dual::<f64>::LOWEST < low && low < Dual::HIGHEST);
    assert!(low.is_finite() && low.is_sign_positive() && !low.is_nan() && low.is_normal());
    assert_eq!(low.classify(), std::num::FpCategory::Normal);
    assert_eq!(low.integer_decode(), 1.0_f64.integer_decode());
    assert_eq!(num_traits::ToPrimitive::to_i64(&high), Some(2));
    let read = <Dual<f64> as num_traits::Num>::from_str_radix("1.5", 10);
    assert_eq!(read.map(|it| (it.value, it.slope)).ok(), Some((1.5, 0.0)));
    fn larger<T: Real>(x: T, y: T) -> T {
        if y < x { x } else { y }
    }
    assert_eq!(larger(low, high).slope, -5.0);
}
