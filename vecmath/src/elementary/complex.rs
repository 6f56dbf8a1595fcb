//! Functions of complex numbers.
//!
//! Zeros, infinities and what is not a number give what annex G of the C
//! standard says, and nothing overflows on the way to a result that does not.
//! The inverse functions follow W. Kahan, "Branch cuts for complex elementary
//! functions", 1987.
//!
//! The trigonometric functions are the hyperbolic ones of `i` times a number, by
//! the definitions of that annex.

use std::f64::consts::{FRAC_PI_2, LN_2, LN_10};

use num_complex::Complex;

use super::Elementary;

type C = Complex<f64>;

const ONE: C = C::new(1.0, 0.0);

/// Beyond this, sums of squares of parts overflow, and adding 1 changes nothing.
const LARGE: f64 = 1e150;

impl Elementary for C {
    fn exp<const FMA: bool>(self) -> C {
        raised(self.re, self.im, f64::exp)
    }

    fn exp2<const FMA: bool>(self) -> C {
        raised(self.re, self.im * LN_2, f64::exp2)
    }

    fn expm1<const FMA: bool>(self) -> C {
        // From here on nothing is lost by subtracting 1 in the end.
        const FAR: f64 = 2.0;
        if !(self.re.abs() < FAR && self.im.is_finite()) {
            let C { re, im } = Elementary::exp::<FMA>(self);
            return C::new(re - 1.0, im);
        }
        let half = (0.5 * self.im).sin();
        let re = self.re.exp_m1() * self.im.cos() - 2.0 * half * half;
        C::new(re, self.re.exp() * self.im.sin())
    }

    fn log<const FMA: bool>(self) -> C {
        C::new(logarithm_of_magnitude(self), self.im.atan2(self.re))
    }

    fn log2<const FMA: bool>(self) -> C {
        Elementary::log::<FMA>(self) / LN_2
    }

    fn log10<const FMA: bool>(self) -> C {
        Elementary::log::<FMA>(self) / LN_10
    }

    fn log1p<const FMA: bool>(self) -> C {
        let squared = self.re * (2.0 + self.re) + self.im * self.im;
        // Elsewhere nothing is lost by adding 1 first.
        let is_near = self.re > -0.5 && squared < 1.0;
        let sum = C::new(1.0 + self.re, self.im);
        let re = if is_near { 0.5 * squared.ln_1p() } else { logarithm_of_magnitude(sum) };
        C::new(re, sum.im.atan2(sum.re))
    }

    fn root(self) -> C {
        if self == C::ZERO || self.im.is_infinite() {
            return C::new(self.im.abs(), self.im);
        }
        let largest = self.re.abs().max(self.im.abs());
        if largest > f64::MAX / 4.0 && largest.is_finite() {
            // So that the sum below does not overflow.
            return 4.0 * (self / 16.0).root();
        }
        if 0.0 < largest && largest < f64::MIN_POSITIVE {
            // Halves of so small numbers lose digits.
            return (self * 2.0_f64.powi(108)).root() / 2.0_f64.powi(54);
        }
        let half = 0.5 * self.re.abs() + (0.5 * self.re).hypot(0.5 * self.im);
        let (large, small) = (half.sqrt(), 0.5 * self.im.abs() / half.sqrt());
        if self.re >= 0.0 {
            C::new(large, small.copysign(self.im))
        } else {
            C::new(small, large.copysign(self.im))
        }
    }

    #[inline]
    fn magnitude(self) -> f64 {
        self.norm()
    }

    // Scaled so that nothing overflows on the way (R. Smith, 1962).
    #[inline]
    fn over(self, divisor: C) -> C {
        if is_infinite(divisor) && self.is_finite() {
            return C::ZERO;
        }
        if divisor.re.abs() >= divisor.im.abs() {
            if divisor == C::ZERO {
                return C::new(self.re / divisor.re, self.im / divisor.re);
            }
            let ratio = divisor.im / divisor.re;
            let scale = divisor.re + divisor.im * ratio;
            C::new((self.re + self.im * ratio) / scale, (self.im - self.re * ratio) / scale)
        } else {
            let ratio = divisor.re / divisor.im;
            let scale = divisor.re * ratio + divisor.im;
            C::new((self.re * ratio + self.im) / scale, (self.im * ratio - self.re) / scale)
        }
    }

    #[inline]
    fn reciprocal(self) -> C {
        if is_infinite(self) {
            return C::new(0.0_f64.copysign(self.re), 0.0_f64.copysign(-self.im));
        }
        ONE.over(self)
    }

    #[inline]
    fn rsqrt(self) -> C {
        self.root().reciprocal()
    }

    fn sigmoid<const FMA: bool>(self) -> C {
        (ONE + Elementary::exp::<FMA>(-self)).reciprocal()
    }

    fn sinc(self) -> C {
        if self == C::ZERO {
            return ONE;
        }
        let angle = std::f64::consts::PI * self;
        Elementary::sin::<false>(angle).over(angle)
    }

    fn pow<const FMA: bool>(self, exponent: C) -> C {
        if exponent == C::ZERO {
            return ONE;
        }
        // The logarithm of 0 is infinite, whatever it is multiplied by.
        if self == C::ZERO && exponent.re > 0.0 {
            return C::ZERO;
        }
        let (length, angle) = self.to_polar();
        let length_of_power = length.powf(exponent.re);
        if exponent.im == 0.0 {
            return polar(length_of_power, exponent.re * angle);
        }
        let turn = exponent.re * angle + exponent.im * length.ln();
        polar(length_of_power * (-exponent.im * angle).exp(), turn)
    }

    fn sin<const FMA: bool>(self) -> C {
        times_minus_i(Elementary::sinh::<FMA>(times_i(self)))
    }

    fn sin_in_range<const FMA: bool>(self) -> C {
        Elementary::sin::<FMA>(self)
    }

    fn cos<const FMA: bool>(self) -> C {
        Elementary::cosh::<FMA>(times_i(self))
    }

    fn cos_in_range<const FMA: bool>(self) -> C {
        Elementary::cos::<FMA>(self)
    }

    fn tan<const FMA: bool>(self) -> C {
        times_minus_i(Elementary::tanh::<FMA>(times_i(self)))
    }

    fn tan_in_range<const FMA: bool>(self) -> C {
        Elementary::tan::<FMA>(self)
    }

    fn sinh<const FMA: bool>(self) -> C {
        let C { re: x, im: y } = self;
        if x.is_infinite() && !y.is_finite() {
            return C::new(x, f64::NAN);
        }
        C::new(
            // Zero stays zero, even times infinity.
            if x == 0.0 { sign_of(y.cos()) * x } else { sinh_times(x, y.cos()) },
            if y == 0.0 { y } else { cosh_times(x, y.sin()) },
        )
    }

    fn cosh<const FMA: bool>(self) -> C {
        let C { re: x, im: y } = self;
        if x.is_infinite() && !y.is_finite() {
            return C::new(f64::INFINITY, f64::NAN);
        }
        let im = if x == 0.0 || y == 0.0 {
            sign_of(x) * 0.0_f64.copysign(if y.is_finite() { y.sin() } else { y })
        } else {
            sinh_times(x, y.sin())
        };
        C::new(cosh_times(x, y.cos()), im)
    }

    fn tanh<const FMA: bool>(self) -> C {
        // From here on the real part is 1 in double precision.
        const LARGE: f64 = 20.0;
        let C { re: x, im: y } = self;
        if x.is_infinite() && !y.is_finite() {
            return C::new(sign_of(x), 0.0_f64.copysign(y));
        }
        if x.is_nan() || !y.is_finite() {
            let part = |it: f64| if it == 0.0 { it } else { f64::NAN };
            return C::new(part(x), part(y));
        }
        if x.abs() > LARGE {
            let im = 4.0 * y.sin() * y.cos() * (-2.0 * x.abs()).exp();
            return C::new(sign_of(x), im);
        }
        let tangent = y.tan();
        let secant = 1.0 + tangent * tangent;
        let sine = x.sinh();
        let cosine = (1.0 + sine * sine).sqrt();
        C::new(secant * cosine * sine, tangent) / (1.0 + secant * sine * sine)
    }

    fn asin<const FMA: bool>(self) -> C {
        times_minus_i(Elementary::asinh::<FMA>(times_i(self)))
    }

    fn acos<const FMA: bool>(self) -> C {
        let C { re: x, im: y } = self;
        if self.is_nan() {
            let re = if x == 0.0 { FRAC_PI_2 } else { f64::NAN };
            return C::new(re, if is_infinite(self) { -infinity(y) } else { f64::NAN });
        }
        if is_large(self) {
            let Direction { x: along, y: across } = Direction::of(self);
            let length = logarithm_of_magnitude(self) + LN_2;
            return C::new(across.abs().atan2(along), -length.copysign(y));
        }
        let (minus, plus) = (C::new(1.0 - x, -y).root(), C::new(1.0 + x, y).root());
        let re = 2.0 * minus.re.atan2(plus.re);
        C::new(re, (plus.re * minus.im - plus.im * minus.re).asinh())
    }

    fn atan<const FMA: bool>(self) -> C {
        times_minus_i(Elementary::atanh::<FMA>(times_i(self)))
    }

    fn asinh<const FMA: bool>(self) -> C {
        let C { re: x, im: y } = self;
        if self.is_nan() {
            let re = if is_infinite(self) { infinity(x) } else { f64::NAN };
            return C::new(re, if y == 0.0 { y } else { f64::NAN });
        }
        if is_large(self) {
            let Direction { x: along, y: across } = Direction::of(self);
            let length = logarithm_of_magnitude(self) + LN_2;
            return C::new(length.copysign(x), across.atan2(along.abs()));
        }
        let (plus, minus) = (C::new(1.0 + y, -x).root(), C::new(1.0 - y, x).root());
        let re = (plus.re * minus.im - minus.re * plus.im).asinh();
        C::new(re, y.atan2(plus.re * minus.re - plus.im * minus.im))
    }

    fn acosh<const FMA: bool>(self) -> C {
        // Both are the same but for a quarter of a turn, to the side of the real axis
        // on which the number lies.
        let C { re, im } = Elementary::acos::<FMA>(self);
        C::new(im.abs(), re.copysign(self.im))
    }

    fn atanh<const FMA: bool>(self) -> C {
        let C { re: x, im: y } = self;
        if is_infinite(self) {
            let im = if y.is_nan() { y } else { FRAC_PI_2.copysign(y) };
            return C::new(0.0_f64.copysign(x), im);
        }
        if self.is_nan() {
            return C::new(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
        }
        if x.is_sign_negative() {
            return -Elementary::atanh::<FMA>(-self);
        }
        if is_large(self) {
            let half = (0.5 * x).hypot(0.5 * y);
            return C::new(0.25 * x / half / half, FRAC_PI_2.copysign(y));
        }
        if x == 1.0 && y.abs() < 1e-150 {
            // The square of what is left would be 0.
            let re = 0.5 * (LN_2 - y.abs().ln());
            return C::new(re, if y == 0.0 { y } else { 0.5 * FRAC_PI_2.copysign(y) });
        }
        let distance = (1.0 - x) * (1.0 - x) + y * y;
        let re = 0.25 * (4.0 * x / distance).ln_1p();
        C::new(re, 0.5 * (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y))
    }
}

/// A number to the power of `x`, at the angle `y`. `exp` raises the number.
#[inline]
fn raised(x: f64, y: f64, exp: fn(f64) -> f64) -> C {
    if y == 0.0 {
        return C::new(exp(x), y);
    }
    if x.is_infinite() && !y.is_finite() {
        let length = exp(x);
        return C::new(length, if length == 0.0 { 0.0 } else { f64::NAN });
    }
    C::new(times_power(x, y.cos(), exp), times_power(x, y.sin(), exp))
}

/// A number to the power of `x`, times a factor of at most 1.
#[inline]
fn times_power(x: f64, factor: f64, exp: fn(f64) -> f64) -> f64 {
    // Beyond this the power itself may overflow.
    const LARGE: f64 = 700.0;
    if x.abs() <= LARGE || x.is_nan() {
        return factor * exp(x);
    }
    let quarter = exp(0.25 * x);
    factor * quarter * quarter * quarter * quarter
}

/// `sinh(x) * factor`
#[inline]
fn sinh_times(x: f64, factor: f64) -> f64 {
    const LARGE: f64 = 40.0;
    if x.abs() > LARGE {
        return sign_of(x) * times_power(x.abs(), 0.5 * factor, f64::exp);
    }
    x.sinh() * factor
}

/// `cosh(x) * factor`
#[inline]
fn cosh_times(x: f64, factor: f64) -> f64 {
    const LARGE: f64 = 40.0;
    if x.abs() > LARGE {
        return times_power(x.abs(), 0.5 * factor, f64::exp);
    }
    x.cosh() * factor
}

/// The number of this length at this angle; on the real axis also if it is infinite.
#[inline]
fn polar(length: f64, angle: f64) -> C {
    let part = |it: f64| if it == 0.0 { it } else { length * it };
    C::new(part(angle.cos()), part(angle.sin()))
}

/// `log(abs(z))`
fn logarithm_of_magnitude(z: C) -> f64 {
    let (large, small) = match (z.re.abs(), z.im.abs()) {
        (x, y) if x < y => (y, x),
        (x, y) => (x, y),
    };
    if is_large(z) {
        return (0.5 * large).hypot(0.5 * small).ln() + LN_2;
    }
    let length = large.hypot(small);
    if (0.7..1.75).contains(&length) {
        return 0.5 * ((large - 1.0) * (large + 1.0) + small * small).ln_1p();
    }
    if 0.0 < length && length < f64::MIN_POSITIVE {
        // Such lengths have few digits.
        let scale = 2.0_f64.powi(54);
        return (large * scale).hypot(small * scale).ln() - 54.0 * LN_2;
    }
    length.ln()
}

#[inline]
fn is_large(z: C) -> bool {
    z.re.abs() > LARGE || z.im.abs() > LARGE
}

/// Also if the other part is not a number.
#[inline]
fn is_infinite(z: C) -> bool {
    z.re.is_infinite() || z.im.is_infinite()
}

#[inline]
fn infinity(sign: f64) -> f64 {
    f64::INFINITY.copysign(sign)
}

/// 1 with the sign of a number.
#[inline]
fn sign_of(x: f64) -> f64 {
    1.0_f64.copysign(x)
}

/// Where a large number lies; beside an infinite part each other is 0.
struct Direction {
    x: f64,
    y: f64,
}

impl Direction {
    #[inline]
    fn of(z: C) -> Direction {
        if !is_infinite(z) {
            return Direction { x: z.re, y: z.im };
        }
        let part = |it: f64| if it.is_infinite() { 1.0_f64 } else { 0.0 }.copysign(it);
        Direction { x: part(z.re), y: part(z.im) }
    }
}

#[inline]
fn times_i(z: C) -> C {
    C::new(-z.im, z.re)
}

#[inline]
fn times_minus_i(z: C) -> C {
    C::new(z.im, -z.re)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [C; 8] = [
        C::new(0.5, 0.25),
        C::new(-0.5, 3.0),
        C::new(2.0, -1.0),
        C::new(-7.0, 0.001),
        C::new(1e-9, 1e-9),
        C::new(-30.0, 2.0),
        C::new(0.0, 0.5),
        C::new(-0.25, 0.0),
    ];

    #[track_caller]
    fn close(a: C, b: C) {
        assert!((a - b).norm() <= 1e-12 * (1.0 + b.norm()), "{a} is not {b}");
    }

    #[test]
    fn inverses_undo() {
        for z in POINTS {
            close(Elementary::sin::<false>(Elementary::asin::<false>(z)), z);
            close(Elementary::cos::<false>(Elementary::acos::<false>(z)), z);
            close(Elementary::sinh::<false>(Elementary::asinh::<false>(z)), z);
            close(Elementary::cosh::<false>(Elementary::acosh::<false>(z)), z);
            close(Elementary::tan::<false>(Elementary::atan::<false>(z)), z);
            close(Elementary::tanh::<false>(Elementary::atanh::<false>(z)), z);
            close(Elementary::expm1::<false>(Elementary::log1p::<false>(z)), z);
            close(z.root() * z.root(), z);
            close(Elementary::exp::<false>(Elementary::log::<false>(z)), z);
            close(Elementary::exp2::<false>(Elementary::log2::<false>(z)), z);
            close(ONE.over(z.reciprocal()), z);
        }
    }

    #[test]
    fn nothing_overflows_on_the_way() {
        assert_eq!(Elementary::tanh::<false>(C::new(1000.0, 1.0)).re, 1.0);
        assert_eq!(C::new(1e300, 1e300).reciprocal(), C::new(0.5e-300, -0.5e-300));
        assert_eq!(C::new(1e308, 1e308).root().re, 1.09868411346781e154);
        assert!(Elementary::log1p::<false>(C::new(1e300, 0.0)).re.is_finite());
    }

    #[test]
    fn infinities_have_a_direction() {
        let infinity = C::new(f64::INFINITY, 0.0);
        assert_eq!(Elementary::asin::<false>(infinity), C::new(FRAC_PI_2, f64::INFINITY));
        assert_eq!(Elementary::acos::<false>(infinity), C::new(0.0, f64::NEG_INFINITY));
        assert_eq!(Elementary::acosh::<false>(infinity), C::new(f64::INFINITY, 0.0));
        assert_eq!(Elementary::atan::<false>(infinity).re, FRAC_PI_2);
        assert_eq!(infinity.reciprocal(), C::ZERO);
    }

    #[test]
    fn small_arguments_keep_their_digits() {
        let z = C::new(1e-12, -1e-12);
        close(Elementary::expm1::<false>(z) / z, ONE);
        close(Elementary::log1p::<false>(z) / z, ONE);
        assert_eq!(C::new(-1e30, 1.0).root(), C::new(5e-16, 1e15));
    }
}
