//! Gamma functions: `gamma` and `lgamma`, those of `libm`, and in files of their own what is made of
//! them. Errors: 7 and 2 ULP, but between negative integers, where `lgamma` has zeros: there it is 3e-14.
//! `lgamma` of `f32` is rounded from `f64`.

mod digamma;
mod incomplete;
#[rustfmt::skip]
mod tables;
mod zeta;

pub use self::digamma::digamma;
pub use self::incomplete::{gammainc, gammaincc};
pub use self::zeta::{polygamma, zeta};

/// Numbers that have a gamma function.
pub trait Gamma: Copy {
    /// The gamma function.
    fn gamma(self) -> Self;
    /// The logarithm of the magnitude of the gamma function.
    fn lgamma(self) -> Self;
}

impl Gamma for f32 {
    fn gamma(self) -> f32 {
        libm::tgammaf(self)
    }
    fn lgamma(self) -> f32 {
        libm::lgamma(self.into()) as f32
    }
}

impl Gamma for f64 {
    fn gamma(self) -> f64 {
        libm::tgamma(self)
    }
    fn lgamma(self) -> f64 {
        libm::lgamma(self)
    }
}

/// The gamma function.
pub fn gamma<T: Gamma>(x: T) -> T {
    x.gamma()
}

/// The logarithm of the magnitude of the gamma function.
pub fn lgamma<T: Gamma>(x: T) -> T {
    x.lgamma()
}

#[cfg(all(test, not(target_env = "msvc")))]
mod tests {
    use super::{gamma, lgamma};
    use crate::scalar::cbrt;

    /// How many numbers lie between two, of which neither is NaN.
    fn distance(a: f64, b: f64) -> u64 {
        if a == b || a.is_nan() && b.is_nan() { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
    }

    #[test]
    fn functions_of_libm_are_near() {
        let mut most = [0; 3];
        for x in (-4000..20_000).map(|it| f64::from(it) / 117.0) {
            let mut pairs = [
                (cbrt(x), core_math::cbrt(x)),
                (gamma(x), core_math::tgamma(x)),
                (lgamma(x), core_math::lgamma(x)),
            ];
            // Between negative integers are zeros of the logarithm, near which digits are lost.
            if x < 0.0 {
                let (near, exact) = pairs[2];
                assert!(near == exact || (near - exact).abs() < 3e-14, "{x:e}: {near:e}");
                pairs[2].0 = exact;
            }
            for (most, (near, exact)) in most.iter_mut().zip(pairs) {
                *most = distance(near, exact).max(*most);
            }
        }
        assert!(most.iter().zip([0, 7, 2]).all(|(most, limit)| *most <= limit), "{most:?}");
    }
}
