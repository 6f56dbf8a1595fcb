//! Dual numbers: functions of floating numbers with their derivatives.

use std::num::FpCategory;

use num_traits::{Float as Functions, FloatConst};

use super::{Dual, Slope, along};
use crate::dtype::{Float, Number};

impl<T: Slope + Float> Float for Dual<T> {
    #[inline(always)]
    fn constant(value: f64) -> Dual<T> {
        Dual::constant(T::constant(value))
    }
}

/// -1, 0 or 1; what is not a number is its own.
#[inline(always)]
fn sign<T: Float>(of: T) -> T {
    if of > T::ZERO {
        T::ONE
    } else if of < T::ZERO {
        T::ONE.negated()
    } else if of.is_nan() {
        of
    } else {
        T::ZERO
    }
}

/// Functions that are flat wherever they have a derivative.
macro_rules! steps {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> Dual<T> {
            Dual::constant(self.value.$name())
        }
    )*};
}

/// Questions about the value.
macro_rules! questions {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name(self) -> bool {
            self.value.$name()
        }
    )*};
}

/// Numbers that depend on nothing.
macro_rules! constants {
    ($($name:ident)*) => {$(
        #[inline(always)]
        fn $name() -> Dual<T> {
            Dual::constant(T::$name())
        }
    )*};
}

/// Functions of one number: the derivative, of the argument and the result.
macro_rules! functions {
    ($($name:ident |$x:pat_param, $result:pat_param| $derivative:expr;)*) => {$(
        #[inline(always)]
        fn $name(self) -> Dual<T> {
            let result = self.value.$name();
            let ($x, $result) = (self.value, result);
            self.through(result, $derivative)
        }
    )*};
}

impl<T: Slope + Float> Functions for Dual<T> {
    constants! {
        nan infinity neg_infinity neg_zero min_value min_positive_value max_value epsilon
    }
    questions! {
        is_nan is_infinite is_finite is_normal is_subnormal is_sign_positive is_sign_negative
    }
    steps! { floor ceil round trunc signum }
    functions! {
        abs |x, _| sign(x);
        recip |_, it| -it * it;
        sqrt |_, it| T::constant(0.5) / it;
        cbrt |_, it| T::ONE / (T::constant(3.0) * it * it);
        exp |_, it| it;
        exp2 |_, it| it * T::LN_2();
        exp_m1 |x, _| x.exp();
        ln |x, _| x.recip();
        ln_1p |x, _| (T::ONE + x).recip();
        log2 |x, _| (x * T::LN_2()).recip();
        log10 |x, _| (x * T::LN_10()).recip();
        sin |x, _| x.cos();
        cos |x, _| -x.sin();
        tan |_, it| T::ONE + it * it;
        asin |x, _| ((T::ONE - x) * (T::ONE + x)).sqrt().recip();
        acos |x, _| -((T::ONE - x) * (T::ONE + x)).sqrt().recip();
        atan |x, _| (T::ONE + x * x).recip();
        sinh |x, _| x.cosh();
        cosh |x, _| x.sinh();
        tanh |_, it| (T::ONE - it) * (T::ONE + it);
        asinh |x, _| x.hypot(T::ONE).recip();
        acosh |x, _| ((x - T::ONE).sqrt() * (x + T::ONE).sqrt()).recip();
        atanh |x, _| ((T::ONE - x) * (T::ONE + x)).recip();
    }

    fn classify(self) -> FpCategory {
        self.value.classify()
    }

    fn integer_decode(self) -> (u64, i16, i8) {
        self.value.integer_decode()
    }

    #[inline(always)]
    fn fract(self) -> Dual<T> {
        Dual { value: self.value.fract(), slope: self.slope }
    }

    #[inline(always)]
    fn to_degrees(self) -> Dual<T> {
        Dual { value: self.value.to_degrees(), slope: self.slope.to_degrees() }
    }

    #[inline(always)]
    fn to_radians(self) -> Dual<T> {
        Dual { value: self.value.to_radians(), slope: self.slope.to_radians() }
    }

    #[inline(always)]
    fn mul_add(self, by: Dual<T>, more: Dual<T>) -> Dual<T> {
        let value = self.value.mul_add(by.value, more.value);
        let slope = along(self.slope, by.value) + along(by.slope, self.value) + more.slope;
        Dual { value, slope }
    }

    #[inline(always)]
    fn powi(self, power: i32) -> Dual<T> {
        let derivative = match power {
            0 => T::ZERO,
            _ => T::constant(f64::from(power)) * self.value.powi(power.wrapping_sub(1)),
        };
        self.through(self.value.powi(power), derivative)
    }

    #[inline(always)]
    fn powf(self, power: Dual<T>) -> Dual<T> {
        let (x, y) = (self.value, power.value);
        let value = x.powf(y);
        let is_flat = y.vanishes();
        let by_base = if is_flat { T::ZERO } else { y * x.powf(y - T::ONE) };
        let is_zero = x == T::ZERO && y >= T::ZERO;
        let by_power = if is_zero { T::ZERO } else { value * x.ln() };
        Dual { value, slope: along(self.slope, by_base) + along(power.slope, by_power) }
    }

    #[inline(always)]
    fn log(self, base: Dual<T>) -> Dual<T> {
        let (x, logarithm) = (self.value, base.value.ln());
        let by_number = (x * logarithm).recip();
        let by_base = -x.ln() / (base.value * logarithm * logarithm);
        let slope = along(self.slope, by_number) + along(base.slope, by_base);
        Dual { value: x.log(base.value), slope }
    }

    #[inline(always)]
    fn max(self, other: Dual<T>) -> Dual<T> {
        if self.value >= other.value || other.value.is_nan() { self } else { other }
    }

    #[inline(always)]
    fn min(self, other: Dual<T>) -> Dual<T> {
        if self.value <= other.value || other.value.is_nan() { self } else { other }
    }

    #[inline(always)]
    fn clamp(self, low: Dual<T>, high: Dual<T>) -> Dual<T> {
        if self.value < low.value {
            low
        } else if self.value > high.value {
            high
        } else {
            self
        }
    }

    #[inline(always)]
    fn abs_sub(self, other: Dual<T>) -> Dual<T> {
        if self.value <= other.value { Dual::ZERO } else { self - other }
    }

    #[inline(always)]
    fn hypot(self, other: Dual<T>) -> Dual<T> {
        let value = self.value.hypot(other.value);
        let part = |of: T| if value == T::ZERO { T::ZERO } else { of / value };
        let slope = along(self.slope, part(self.value)) + along(other.slope, part(other.value));
        Dual { value, slope }
    }

    #[inline(always)]
    fn atan2(self, other: Dual<T>) -> Dual<T> {
        let (y, x) = (self.value, other.value);
        let square = x * x + y * y;
        let part = |of: T| if square == T::ZERO { T::ZERO } else { of / square };
        let slope = along(self.slope, part(x)) - along(other.slope, part(y));
        Dual { value: y.atan2(x), slope }
    }

    #[inline(always)]
    fn sin_cos(self) -> (Dual<T>, Dual<T>) {
        let (sine, cosine) = self.value.sin_cos();
        (self.through(sine, cosine), self.through(cosine, -sine))
    }

    #[inline(always)]
    fn copysign(self, of: Dual<T>) -> Dual<T> {
        let turn = if of.value.is_sign_negative() { T::ONE.negated() } else { T::ONE };
        self.through(self.value.copysign(of.value), sign(self.value) * turn)
    }
}

macro_rules! known {
    ($($name:ident)*) => {
        impl<T: Slope + Float> FloatConst for Dual<T> {$(
            #[inline(always)]
            fn $name() -> Dual<T> {
                Dual::constant(T::$name())
            }
        )*}
    };
}

known! {
    E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6
    FRAC_PI_8 LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
}
