//! Transforms of real numbers, of whose spectrum half says all.
//!
//! An even count of them is transformed as half as many complex numbers, a pair each; their spectrum
//! `Z` is taken apart into those of the even and of the odd places, with `m` pairs of `n` numbers:
//!
//! ```text
//! E[k] = (Z[k] + conj(Z[m - k])) / 2
//! O[k] = (Z[k] - conj(Z[m - k])) / 2i
//! X[k] = E[k] + exp(-2 pi i k / n) O[k]        for k = 0 ..= m, with Z[m] = Z[0]
//! ```
//!
//! so that `X[m - k]` is the conjugate of `E[k] - exp(-2 pi i k / n) O[k]`, both ends are real, and the
//! middle is the conjugate of that of `Z`.
//!
//! (Press and others, Numerical Recipes, 12.3.2.) An odd count is transformed as complex numbers.

use std::sync::Arc;

use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum};

use crate::FftScalar;

/// A transform of real numbers, one way.
pub struct RealTransform<P> {
    length: usize,
    fft: Arc<dyn Fft<P>>,
    /// `exp(-2 pi i k / n)` for each pair of places of the spectrum, of an even count.
    turns: Vec<Complex<P>>,
}

impl<P: FftScalar> RealTransform<P> {
    pub(crate) fn new(length: usize, direction: FftDirection) -> RealTransform<P> {
        let count = if length.is_multiple_of(2) { length / 2 } else { length };
        let fft = P::plan(count, direction);
        let turn = |k: usize| {
            let turn = Complex::cis(-std::f64::consts::TAU * k as f64 / length as f64);
            Complex::new(P::cast_from(turn.re), P::cast_from(turn.im))
        };
        let pairs = if length.is_multiple_of(2) { count.div_ceil(2) } else { 0 };
        RealTransform { length, fft, turns: (0..pairs).map(turn).collect() }
    }

    fn is_even(&self) -> bool {
        self.length.is_multiple_of(2)
    }

    /// How many numbers of the spectrum say all.
    pub fn half(&self) -> usize {
        self.length / 2 + 1
    }

    /// How many complex numbers a transform needs to calculate with.
    pub fn scratch(&self) -> usize {
        match self.is_even() {
            true => self.fft.get_outofplace_scratch_len(),
            false => self.length + self.fft.get_inplace_scratch_len(),
        }
    }

    /// Half of the spectrum of `values`, which are overwritten.
    ///
    /// # Panics
    ///
    /// If there are not as many values, as many numbers of half a spectrum, and as much scratch as the
    /// plan says.
    pub fn forward(&self, values: &mut [P], half: &mut [Complex<P>], scratch: &mut [Complex<P>]) {
        assert_eq!((values.len(), half.len()), (self.length, self.half()), "as planned");
        if !self.is_even() {
            let (all, scratch) = scratch.split_at_mut(self.length);
            all.iter_mut().zip(values).for_each(|(it, value)| *it = (*value).into());
            self.fft.process_with_scratch(all, scratch);
            half.copy_from_slice(&all[..half.len()]);
            return;
        }
        let m = self.length / 2;
        self.fft.process_outofplace_with_scratch(pairs(values), &mut half[..m], scratch);
        let first = half[0];
        half[0] = (first.re + first.im).into();
        half[m] = (first.re - first.im).into();
        if m.is_multiple_of(2) {
            half[m / 2] = half[m / 2].conj();
        }
        let point = P::cast_from(0.5);
        for (k, &turn) in self.turns.iter().enumerate().skip(1) {
            let (a, b) = (half[k], half[m - k].conj());
            let (even, odd) = ((a + b) * point, (a - b) * turn * point);
            // Times -i.
            let odd = Complex::new(odd.im, -odd.re);
            half[k] = even + odd;
            half[m - k] = (even - odd).conj();
        }
    }

    /// The `values` of which `half` is half the spectrum, times their number; it is overwritten. Its
    /// ends are taken to be real.
    ///
    /// # Panics
    ///
    /// As [`forward`](RealTransform::forward).
    pub fn inverse(&self, half: &mut [Complex<P>], values: &mut [P], scratch: &mut [Complex<P>]) {
        assert_eq!((values.len(), half.len()), (self.length, self.half()), "as planned");
        half[0].im = P::zero();
        if !self.is_even() {
            let (all, scratch) = scratch.split_at_mut(self.length);
            all[..half.len()].copy_from_slice(half);
            for (k, it) in half.iter().enumerate().skip(1) {
                all[self.length - k] = it.conj();
            }
            self.fft.process_with_scratch(all, scratch);
            values.iter_mut().zip(all).for_each(|(value, it)| *value = it.re);
            return;
        }
        let m = self.length / 2;
        let (first, last) = (half[0].re, half[m].re);
        half[0] = Complex::new(first + last, first - last);
        if m.is_multiple_of(2) {
            half[m / 2] = (half[m / 2] + half[m / 2]).conj();
        }
        for (k, &turn) in self.turns.iter().enumerate().skip(1) {
            let (a, b) = (half[k], half[m - k].conj());
            let (even, odd) = (a + b, (a - b) * turn.conj());
            // Times i.
            let odd = Complex::new(-odd.im, odd.re);
            half[k] = even + odd;
            half[m - k] = (even - odd).conj();
        }
        self.fft.process_outofplace_with_scratch(&mut half[..m], pairs(values), scratch);
    }
}

/// An even count of numbers, as pairs.
fn pairs<P: FftNum>(values: &mut [P]) -> &mut [Complex<P>] {
    // SAFETY: a complex number is its two parts side by side, and there are two for each.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), values.len() / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn far<T: Copy>(a: &[T], b: &[T], of: impl Fn(T, T) -> f64) -> f64 {
        assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&a, &b)| of(a, b)).fold(0.0, f64::max)
    }

    #[test]
    fn it_is_what_the_complex_transform_says() {
        for length in (1..=70).chain([97, 120, 128, 243, 256]) {
            let signal: Vec<f64> = (0..length).map(|it| (it as f64 * 1.3).sin() + 0.1).collect();
            let mut spectrum: Vec<_> = signal.iter().map(|&it| Complex::from(it)).collect();
            <f64 as FftScalar>::plan(length, FftDirection::Forward).process(&mut spectrum);

            let plan = RealTransform::new(length, FftDirection::Forward);
            let mut half = vec![Complex::default(); plan.half()];
            let mut scratch = vec![Complex::default(); plan.scratch()];
            plan.forward(&mut signal.clone(), &mut half, &mut scratch);
            let distance = far(&half, &spectrum[..half.len()], |a, b| (a - b).norm());
            assert!(distance < 1e-12 * length as f64, "{length}: {distance}");

            let plan = RealTransform::new(length, FftDirection::Inverse);
            let (mut values, mut scratch) =
                (vec![0.0; length], vec![Complex::default(); plan.scratch()]);
            plan.inverse(&mut half, &mut values, &mut scratch);
            let distance = far(&values, &signal, |a, b| (a / length as f64 - b).abs());
            assert!(distance < 1e-13 * length as f64, "{length}: {distance}");
        }
    }
}
