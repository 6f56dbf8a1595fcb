//! Complex-to-complex transforms.

use std::sync::Arc;

use rustfft::{Fft, FftDirection, FftNum};

/// A plan for so many numbers, of which there are some.
pub(crate) fn plan<P: FftNum>(length: usize, direction: FftDirection) -> Arc<dyn Fft<P>> {
    #[cfg(target_arch = "x86_64")]
    {
        let by_registers = rustfft::FftPlannerAvx::new();
        by_registers
            .map_or_else(|()| plain(length, direction), |mut it| it.plan_fft(length, direction))
    }
    #[cfg(not(target_arch = "x86_64"))]
    rustfft::FftPlanner::new().plan_fft(length, direction)
}

/// A plan for processors without AVX2 and FMA: powers of two by steps of four, and others as a
/// convolution of such a power, by Bluestein's algorithm. What else `rustfft` has for them would be a
/// fifth of this crate.
#[cfg(any(test, target_arch = "x86_64"))]
fn plain<P: FftNum>(length: usize, direction: FftDirection) -> Arc<dyn Fft<P>> {
    use rustfft::algorithm::{BluesteinsAlgorithm, Radix4};

    let power = |length: usize| Arc::new(Radix4::new(length, direction));
    if length.is_power_of_two() {
        return power(length);
    }
    Arc::new(BluesteinsAlgorithm::new(length, power((2 * length - 1).next_power_of_two())))
}

#[cfg(test)]
mod tests {
    use rustfft::num_complex::Complex;

    use super::*;

    /// By its definition.
    fn defined(signal: &[Complex<f64>], sign: f64) -> Vec<Complex<f64>> {
        let length = signal.len();
        let at = |k: usize| -> Complex<f64> {
            let turn = |j: usize| (j * k % length) as f64 / length as f64;
            let term = |j| signal[j] * Complex::cis(sign * std::f64::consts::TAU * turn(j));
            (0..length).map(term).sum()
        };
        (0..length).map(at).collect()
    }

    #[test]
    fn both_ways_are_what_the_definition_says() {
        for length in (1..=70).chain([97, 120, 128, 243, 255]) {
            let signal = |it: usize| Complex::new((it as f64).sin(), (it as f64 * 0.7).cos());
            let signal: Vec<_> = (0..length).map(signal).collect();
            for (direction, sign) in [(FftDirection::Forward, -1.0), (FftDirection::Inverse, 1.0)] {
                let expected = defined(&signal, sign);
                for plan in [plan::<f64>(length, direction), plain(length, direction)] {
                    let mut values = signal.clone();
                    plan.process(&mut values);
                    let far = values.iter().zip(&expected).map(|(a, b)| (a - b).norm());
                    let far = far.fold(0.0, f64::max);
                    assert!(far < 1e-12 * length as f64, "{length} {direction:?}: {far}");
                }
            }
        }
    }
}
