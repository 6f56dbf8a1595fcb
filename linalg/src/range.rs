//! Matrices whose numbers are large or small.

use opwright_runtime::{Error, Result};

use crate::columns::ColumnMajor;
use crate::number::{RealOrComplex, RealScalar};

/// The power of two by which the elements of a matrix were multiplied, as a logarithm.
#[derive(Clone, Copy)]
pub(crate) struct Scale(i32);

impl Scale {
    /// Scales a matrix if it must be.
    ///
    /// # Errors
    ///
    /// `Runtime` if there are numbers that are not finite.
    pub(crate) fn apply<T: RealOrComplex>(matrix: &mut ColumnMajor<T>) -> Result<Scale> {
        let greatest = greatest(matrix.elements());
        if !greatest.is_finite() {
            return Err(not_finite());
        }
        let most = T::Real::MOST_SCALE;
        // Thresholds of `faer` are made for numbers near one: where they are 1e30, half of
        // the digits of eigenvalues are lost.
        let is_fine = greatest == 0.0 || greatest.log2().abs() < 8.0;
        let power = if is_fine { 0 } else { (-greatest.log2() as i32).clamp(-most, most) };
        if power != 0 {
            let factor = 2.0_f64.powi(power);
            for it in matrix.elements_mut() {
                let (re, im) = it.parts();
                *it = T::of_parts(re * factor, im * factor);
            }
        }
        Ok(Scale(power))
    }

    /// A value of the matrix that was given, from that of the scaled one.
    pub(crate) fn undo<R: RealScalar>(self, value: R) -> R {
        if self.0 == 0 { value } else { R::of(value.wide() * 2.0_f64.powi(-self.0)) }
    }
}

/// The greatest part of a number, NaN if there is one.
fn greatest<T: RealOrComplex>(numbers: &[T]) -> f64 {
    let mut greatest = 0.0_f64;
    for it in numbers {
        let (re, im) = it.parts();
        let length = re.abs() + im.abs();
        // So that NaN comes through.
        greatest = if length <= greatest { greatest } else { length };
        if greatest.is_nan() {
            break;
        }
    }
    greatest
}

#[cold]
fn not_finite() -> Error {
    Error::runtime(
        "The algorithm failed to converge because the input matrix contained non-finite values.",
    )
}
