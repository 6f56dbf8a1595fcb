//! A number that no tensor holds: what is generic over the traits of numbers runs on it, too.

use std::cmp::Ordering;
use std::num::FpCategory;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use num_traits::{FloatConst, Num, NumCast, One, ToPrimitive, Zero};
use opwright_runtime::dtype::{Float, Number, Ordered, Real};
use opwright_runtime::{Element, Result, Tensor, dispatch, iterate, num_traits};

/// As an author writes it.
fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

/// With a constant, a branch and arithmetic of both kinds.
fn smooth<T: Float>(x: T) -> T {
    if x > T::ZERO { x.times(T::constant(2.0)) } else { x.exp() - T::ONE }
}

/// As what is generated around it binds: elements that can be calculated with.
fn loop_over<T: Element + Float>(x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(x, y, out, hypot::<T>)
}

#[test]
fn a_function_of_numbers_runs_on_elements() {
    let (x, y) = (Tensor::from_slice(&[2], &[3.0, 5.0]), Tensor::from_slice(&[2], &[4.0, 12.0]));
    let (x, y): (Tensor, Tensor) = (x.unwrap(), y.unwrap());
    let mut out = x.copy().unwrap();
    dispatch!(x.dtype(), "hypot", floating, |T| loop_over::<T>(&x, &y, &mut out)).unwrap();
    assert_eq!(out.to_vec::<f64>().unwrap(), [5.0, 13.0]);
}

#[test]
fn and_on_numbers_with_a_derivative() {
    let x = Dual { value: 3.0, slope: 1.0 };
    let y = Dual { value: 4.0, slope: 0.0 };
    assert_eq!(hypot(x, y), Dual { value: 5.0, slope: 0.6 });
    assert_eq!(smooth(x), Dual { value: 6.0, slope: 2.0 });
    let slope = smooth(Dual { value: -1.0, slope: 1.0 }).slope;
    assert_eq!(slope, (-1.0_f64).exp());
}

/// A value, and how fast it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dual {
    value: f64,
    slope: f64,
}

impl Dual {
    /// A function of this, from its value and its derivative there.
    fn map(self, value: f64, derivative: f64) -> Dual {
        Dual { value, slope: self.slope * derivative }
    }
}

fn constant(value: f64) -> Dual {
    Dual { value, slope: 0.0 }
}

macro_rules! arithmetic {
    ($($op:ident $method:ident |$a:ident, $b:ident| $value:expr, $slope:expr;)*) => {$(
        impl $op for Dual {
            type Output = Dual;

            fn $method(self, other: Dual) -> Dual {
                let ($a, $b) = (self, other);
                Dual { value: $value, slope: $slope }
            }
        }
    )*};
}

arithmetic! {
    Add add |a, b| a.value + b.value, a.slope + b.slope;
    Sub sub |a, b| a.value - b.value, a.slope - b.slope;
    Mul mul |a, b| a.value * b.value, a.slope * b.value + a.value * b.slope;
    Div div |a, b| a.value / b.value,
        (a.slope * b.value - a.value * b.slope) / (b.value * b.value);
    Rem rem |a, b| a.value % b.value, a.slope - b.slope * (a.value / b.value).trunc();
}

impl Neg for Dual {
    type Output = Dual;

    fn neg(self) -> Dual {
        self.map(-self.value, -1.0)
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Dual) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

impl Zero for Dual {
    fn zero() -> Dual {
        constant(0.0)
    }
    fn is_zero(&self) -> bool {
        self.value == 0.0
    }
}

impl One for Dual {
    fn one() -> Dual {
        constant(1.0)
    }
}

impl Num for Dual {
    type FromStrRadixErr = <f64 as Num>::FromStrRadixErr;

    fn from_str_radix(text: &str, radix: u32) -> std::result::Result<Dual, Self::FromStrRadixErr> {
        f64::from_str_radix(text, radix).map(constant)
    }
}

impl ToPrimitive for Dual {
    fn to_i64(&self) -> Option<i64> {
        self.value.to_i64()
    }
    fn to_u64(&self) -> Option<u64> {
        self.value.to_u64()
    }
    fn to_f64(&self) -> Option<f64> {
        Some(self.value)
    }
}

impl NumCast for Dual {
    fn from<N: ToPrimitive>(value: N) -> Option<Dual> {
        value.to_f64().map(constant)
    }
}

macro_rules! constants {
    ($($name:ident)*) => {
        impl FloatConst for Dual {$(
            fn $name() -> Dual {
                constant(f64::$name())
            }
        )*}
    };
}

constants! {
    E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6
    FRAC_PI_8 LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2
}

macro_rules! floats {
    (
        limits: $($limit:ident)*;
        questions: $($question:ident)*;
        functions: $($name:ident |$x:ident| $derivative:expr;)*
    ) => {
        impl num_traits::Float for Dual {
            $(fn $limit() -> Dual {
                constant(num_traits::Float::$limit())
            })*
            $(fn $question(self) -> bool {
                self.value.$question()
            })*
            $(fn $name(self) -> Dual {
                let $x = self.value;
                self.map($x.$name(), $derivative)
            })*
            fn classify(self) -> FpCategory {
                self.value.classify()
            }
            fn integer_decode(self) -> (u64, i16, i8) {
                num_traits::Float::integer_decode(self.value)
            }
            fn mul_add(self, a: Dual, b: Dual) -> Dual {
                self * a + b
            }
            fn powi(self, n: i32) -> Dual {
                self.map(self.value.powi(n), n as f64 * self.value.powi(n - 1))
            }
            fn powf(self, n: Dual) -> Dual {
                (n * self.ln()).exp()
            }
            fn log(self, base: Dual) -> Dual {
                self.ln() / base.ln()
            }
            fn max(self, other: Dual) -> Dual {
                if self > other { self } else { other }
            }
            fn min(self, other: Dual) -> Dual {
                if self < other { self } else { other }
            }
            fn abs_sub(self, other: Dual) -> Dual {
                if self > other { self - other } else { constant(0.0) }
            }
            fn hypot(self, other: Dual) -> Dual {
                let value = self.value.hypot(other.value);
                Dual { value, slope: (self * self + other * other).slope / (2.0 * value) }
            }
            fn atan2(self, other: Dual) -> Dual {
                let slope = (self / other).atan().slope;
                Dual { value: self.value.atan2(other.value), slope }
            }
            fn sin_cos(self) -> (Dual, Dual) {
                (self.sin(), self.cos())
            }
        }
    };
}

floats! {
    limits: nan infinity neg_infinity neg_zero min_value min_positive_value max_value;
    questions: is_nan is_infinite is_finite is_normal is_sign_positive is_sign_negative;
    functions:
        floor |x| 0.0;
        ceil |x| 0.0;
        round |x| 0.0;
        trunc |x| 0.0;
        fract |x| 1.0;
        abs |x| x.signum();
        signum |x| 0.0;
        recip |x| -1.0 / (x * x);
        sqrt |x| 0.5 / x.sqrt();
        cbrt |x| 1.0 / (3.0 * x.cbrt() * x.cbrt());
        exp |x| x.exp();
        exp2 |x| x.exp2() * f64::LN_2();
        exp_m1 |x| x.exp();
        ln |x| 1.0 / x;
        ln_1p |x| 1.0 / (1.0 + x);
        log2 |x| 1.0 / (x * f64::LN_2());
        log10 |x| 1.0 / (x * f64::LN_10());
        sin |x| x.cos();
        cos |x| -x.sin();
        tan |x| 1.0 / (x.cos() * x.cos());
        asin |x| 1.0 / (1.0 - x * x).sqrt();
        acos |x| -1.0 / (1.0 - x * x).sqrt();
        atan |x| 1.0 / (1.0 + x * x);
        sinh |x| x.cosh();
        cosh |x| x.sinh();
        tanh |x| 1.0 - x.tanh() * x.tanh();
        asinh |x| 1.0 / (x * x + 1.0).sqrt();
        acosh |x| 1.0 / (x * x - 1.0).sqrt();
        atanh |x| 1.0 / (1.0 - x * x);
}

impl Number for Dual {
    type Wide = Dual;
    const ZERO: Dual = Dual { value: 0.0, slope: 0.0 };
    const ONE: Dual = Dual { value: 1.0, slope: 0.0 };

    fn plus(self, other: Dual) -> Dual {
        self + other
    }
    fn minus(self, other: Dual) -> Dual {
        self - other
    }
    fn times(self, other: Dual) -> Dual {
        self * other
    }
    fn negated(self) -> Dual {
        -self
    }
}

impl Ordered for Dual {
    const LOWEST: Dual = Dual { value: f64::NEG_INFINITY, slope: 0.0 };
    const HIGHEST: Dual = Dual { value: f64::INFINITY, slope: 0.0 };

    fn is_nan(value: Self) -> bool {
        value.value.is_nan()
    }
}

impl Real for Dual {}

impl Float for Dual {
    fn constant(value: f64) -> Dual {
        constant(value)
    }
}
