//! The error function, fast enough for an activation.

use crate::kernels::elementwise::vectorized::double;

/// Numbers with an error function.
pub(super) trait ErrorFunction {
    /// The integral of the normal distribution, from -1 to 1.
    fn error_function<const FUSED: bool>(self) -> Self;
}

impl ErrorFunction for f64 {
    #[inline(always)]
    fn error_function<const FUSED: bool>(self) -> f64 {
        double::erf::<FUSED>(self)
    }
}

impl ErrorFunction for f32 {
    /// A quotient of polynomials, without a branch, so that a loop over it uses
    /// vectors. The coefficients are those of Eigen, whose error is below three
    /// units in the last place.
    #[inline(always)]
    fn error_function<const FUSED: bool>(self) -> f32 {
        const ABOVE: [f32; 7] = [
            -2.726_142_3e-10,
            2.770_681_4e-8,
            -2.101_024e-6,
            -5.692_506_4e-5,
            -7.349_906_3e-4,
            -2.954_6e-3,
            -1.609_603_3e-2,
        ];
        const BELOW: [f32; 5] =
            [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
        // From here on 1 is nearest.
        const LAST: f32 = 4.0;
        let x = self.clamp(-LAST, LAST);
        let square = x * x;
        let above = ABOVE.iter().fold(0.0, |all: f32, it| all * square + it);
        let below = BELOW.iter().fold(0.0, |all: f32, it| all * square + it);
        if self.abs() < LAST || self.is_nan() { x * above / below } else { 1.0_f32.copysign(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorFunction;

    #[test]
    fn single_precision_follows_double() {
        for step in -60_000..=60_000 {
            let x = step as f32 * 1e-4;
            let expected = libm::erf(f64::from(x));
            let error = (f64::from(x.error_function::<false>()) - expected).abs();
            assert!(
                error <= expected.abs() * 6e-7 + 1e-12,
                "{x}: {} {expected}",
                x.error_function::<false>()
            );
        }
        assert!(f32::NAN.error_function::<false>().is_nan());
        assert_eq!(
            (f32::INFINITY.error_function::<false>(), f32::NEG_INFINITY.error_function::<false>()),
            (1.0, -1.0)
        );
    }
}
