//! Functions of real and complex numbers that the standard library has only
//! for the former, or that lose digits when written down naively.
//!
//! The inverse functions of complex numbers follow W. Kahan, "Branch cuts for
//! complex elementary functions", 1987.

use std::f64::consts::FRAC_PI_2;

use num_complex::Complex;

use super::vectorized;

/// What real and complex numbers have in common here.
pub(crate) trait Analytic: Copy {
    /// `exp(self)`
    fn exponential(self) -> Self;
    /// `exp(self) - 1`
    fn expm1(self) -> Self;
    /// `log(self)`
    fn logarithm(self) -> Self;
    /// `log(1 + self)`
    fn log1p(self) -> Self;
    /// The square root, with a real part that is not negative.
    fn root(self) -> Self;
    /// The absolute value.
    fn magnitude(self) -> f64;
    /// `self / divisor`
    fn over(self, divisor: Self) -> Self;
    /// `1 / self`
    fn reciprocal(self) -> Self;
    /// `1 / sqrt(self)`
    fn rsqrt(self) -> Self;
    /// `1 / (1 + exp(-self))`
    fn logistic(self) -> Self;
    /// `sin(pi * self) / (pi * self)`, and 1 at 0
    fn sinc(self) -> Self;
    /// The tangent.
    fn tangent(self) -> Self;
    /// The hyperbolic tangent.
    fn hyperbolic_tangent(self) -> Self;
    /// The arc sine.
    fn arc_sine(self) -> Self;
    /// The arc cosine.
    fn arc_cosine(self) -> Self;
    /// The arc tangent.
    fn arc_tangent(self) -> Self;
    /// The inverse of the hyperbolic sine.
    fn area_sine(self) -> Self;
    /// The inverse of the hyperbolic cosine.
    fn area_cosine(self) -> Self;
    /// The inverse of the hyperbolic tangent.
    fn area_tangent(self) -> Self;
}

// Always inlined, because a loop over a call is not turned into vector instructions.
macro_rules! reals {
    ($($ty:ident, $exp:path, $ln:path, $tanh:path;)*) => {$(
        impl Analytic for $ty {
            #[inline(always)]
            fn exponential(self) -> $ty {
                $exp(self)
            }
            #[inline(always)]
            fn logarithm(self) -> $ty {
                $ln(self)
            }
            #[inline(always)]
            fn expm1(self) -> $ty {
                self.exp_m1()
            }
            #[inline(always)]
            fn log1p(self) -> $ty {
                self.ln_1p()
            }
            #[inline(always)]
            fn root(self) -> $ty {
                self.sqrt()
            }
            #[inline(always)]
            fn magnitude(self) -> f64 {
                f64::from(self.abs())
            }
            #[inline(always)]
            fn over(self, divisor: $ty) -> $ty {
                self / divisor
            }
            #[inline(always)]
            fn reciprocal(self) -> $ty {
                self.recip()
            }
            #[inline(always)]
            fn rsqrt(self) -> $ty {
                self.sqrt().recip()
            }
            #[inline(always)]
            fn logistic(self) -> $ty {
                (1.0 + $exp(-self)).recip()
            }
            #[inline(always)]
            fn sinc(self) -> $ty {
                if self == 0.0 {
                    return 1.0;
                }
                let angle = std::$ty::consts::PI * self;
                angle.sin() / angle
            }
            #[inline(always)]
            fn tangent(self) -> $ty {
                self.tan()
            }
            #[inline(always)]
            fn hyperbolic_tangent(self) -> $ty {
                $tanh(self)
            }
            #[inline(always)]
            fn arc_sine(self) -> $ty {
                self.asin()
            }
            #[inline(always)]
            fn arc_cosine(self) -> $ty {
                self.acos()
            }
            #[inline(always)]
            fn arc_tangent(self) -> $ty {
                self.atan()
            }
            #[inline(always)]
            fn area_sine(self) -> $ty {
                self.asinh()
            }
            #[inline(always)]
            fn area_cosine(self) -> $ty {
                self.acosh()
            }
            #[inline(always)]
            fn area_tangent(self) -> $ty {
                self.atanh()
            }
        }
    )*};
}

reals! {
    f32, vectorized::exp, vectorized::ln, vectorized::tanh;
    f64, f64::exp, f64::ln, f64::tanh;
}

type C = Complex<f64>;

const ONE: C = C::new(1.0, 0.0);

impl Analytic for C {
    fn exponential(self) -> C {
        self.exp()
    }

    fn logarithm(self) -> C {
        self.ln()
    }

    fn expm1(self) -> C {
        let half = (0.5 * self.im).sin();
        let re = self.re.exp_m1() * self.im.cos() - 2.0 * half * half;
        C::new(re, self.re.exp() * self.im.sin())
    }

    fn log1p(self) -> C {
        let squared = self.re * (2.0 + self.re) + self.im * self.im;
        // Far from 0 the square may overflow, and nothing is lost by adding 1.
        let re = if squared < 1.0 { 0.5 * squared.ln_1p() } else { (ONE + self).norm().ln() };
        C::new(re, self.im.atan2(1.0 + self.re))
    }

    fn root(self) -> C {
        if self == C::ZERO || self.im.is_infinite() {
            return C::new(self.im.abs(), self.im);
        }
        // Halved first, so that the sum does not overflow.
        let half = 0.5 * self.re.abs() + (0.5 * self.re).hypot(0.5 * self.im);
        let (large, small) = (half.sqrt(), 0.5 * self.im.abs() / half.sqrt());
        if self.re >= 0.0 {
            C::new(large, small.copysign(self.im))
        } else {
            C::new(small, large.copysign(self.im))
        }
    }

    fn magnitude(self) -> f64 {
        self.norm()
    }

    // Scaled so that nothing overflows on the way (R. Smith, 1962).
    fn over(self, divisor: C) -> C {
        if divisor.is_infinite() && self.is_finite() {
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

    fn reciprocal(self) -> C {
        ONE.over(self)
    }

    fn rsqrt(self) -> C {
        ONE.over(self.root())
    }

    fn logistic(self) -> C {
        ONE.over(ONE + (-self).exp())
    }

    fn sinc(self) -> C {
        if self == C::ZERO {
            return ONE;
        }
        let angle = std::f64::consts::PI * self;
        angle.sin().over(angle)
    }

    fn tangent(self) -> C {
        times_minus_i(times_i(self).hyperbolic_tangent())
    }

    fn hyperbolic_tangent(self) -> C {
        // From here on the real part is 1 in double precision.
        const LARGE: f64 = 20.0;
        if self.re.abs() > LARGE {
            let im = 4.0 * self.im.sin() * self.im.cos() * (-2.0 * self.re.abs()).exp();
            return C::new(1.0_f64.copysign(self.re), im);
        }
        let tangent = self.im.tan();
        let secant = 1.0 + tangent * tangent;
        let sine = self.re.sinh();
        let cosine = (1.0 + sine * sine).sqrt();
        C::new(secant * cosine * sine, tangent) / (1.0 + secant * sine * sine)
    }

    fn arc_sine(self) -> C {
        if self.is_infinite() {
            let Direction { x, y } = Direction::of(self);
            return C::new(x.atan2(y.abs()), f64::INFINITY.copysign(self.im));
        }
        let (minus, plus) = ((ONE - self).root(), (ONE + self).root());
        let re = self.re.atan2((minus * plus).re);
        C::new(re, (minus.conj() * plus).im.asinh())
    }

    fn arc_cosine(self) -> C {
        if self.is_infinite() {
            let Direction { x, y } = Direction::of(self);
            return C::new(y.abs().atan2(x), -f64::INFINITY.copysign(self.im));
        }
        let (minus, plus) = ((ONE - self).root(), (ONE + self).root());
        let re = 2.0 * minus.re.atan2(plus.re);
        C::new(re, (plus.conj() * minus).im.asinh())
    }

    fn arc_tangent(self) -> C {
        times_minus_i(times_i(self).area_tangent())
    }

    fn area_sine(self) -> C {
        times_minus_i(times_i(self).arc_sine())
    }

    fn area_cosine(self) -> C {
        if self.is_infinite() {
            let Direction { x, y } = Direction::of(self);
            return C::new(f64::INFINITY, y.atan2(x));
        }
        let (minus, plus) = ((self - ONE).root(), (self + ONE).root());
        let re = (minus.conj() * plus).re.asinh();
        C::new(re, 2.0 * minus.im.atan2(plus.re))
    }

    fn area_tangent(self) -> C {
        if self.is_infinite() {
            return C::new(0.0_f64.copysign(self.re), FRAC_PI_2.copysign(self.im));
        }
        let (x, y) = (self.re, self.im);
        let distance = (1.0 - x) * (1.0 - x) + y * y;
        let re = 0.25 * (4.0 * x / distance).ln_1p();
        C::new(re, 0.5 * (2.0 * y).atan2((1.0 - x) * (1.0 + x) - y * y))
    }
}

/// Where an infinite number lies: each part is 1 if it is infinite and else 0.
struct Direction {
    x: f64,
    y: f64,
}

impl Direction {
    fn of(z: C) -> Direction {
        let part = |it: f64| if it.is_infinite() { 1.0_f64 } else { 0.0 }.copysign(it);
        Direction { x: part(z.re), y: part(z.im) }
    }
}

fn times_i(z: C) -> C {
    C::new(-z.im, z.re)
}

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
            close(z.arc_sine().sin(), z);
            close(z.arc_cosine().cos(), z);
            close(z.area_sine().sinh(), z);
            close(z.area_cosine().cosh(), z);
            close(z.arc_tangent().tangent(), z);
            close(z.area_tangent().hyperbolic_tangent(), z);
            close(z.log1p().expm1(), z);
            close(z.root() * z.root(), z);
            close(ONE.over(z.reciprocal()), z);
        }
    }

    #[test]
    fn nothing_overflows_on_the_way() {
        assert_eq!(C::new(1000.0, 1.0).hyperbolic_tangent().re, 1.0);
        assert_eq!(C::new(1e300, 1e300).reciprocal(), C::new(0.5e-300, -0.5e-300));
        assert_eq!(C::new(1e308, 1e308).root().re, 1.09868411346781e154);
        assert!(C::new(1e300, 0.0).log1p().re.is_finite());
    }

    #[test]
    fn infinities_have_a_direction() {
        let infinity = C::new(f64::INFINITY, 0.0);
        assert_eq!(infinity.arc_sine(), C::new(FRAC_PI_2, f64::INFINITY));
        assert_eq!(infinity.arc_cosine(), C::new(0.0, f64::NEG_INFINITY));
        assert_eq!(infinity.area_cosine(), C::new(f64::INFINITY, 0.0));
        assert_eq!(infinity.arc_tangent().re, FRAC_PI_2);
        assert_eq!(infinity.reciprocal(), C::ZERO);
    }

    #[test]
    fn small_arguments_keep_their_digits() {
        let z = C::new(1e-12, -1e-12);
        close(z.expm1() / z, ONE);
        close(z.log1p() / z, ONE);
        assert_eq!(C::new(-1e30, 1.0).root(), C::new(5e-16, 1e15));
    }
}
