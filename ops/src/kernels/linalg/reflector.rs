//! Householder's reflections, which make vectors point along an axis.

use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut2};
use opwright_runtime::{Result, buffer, interrupt};

use super::batch::{Double, identity};

/// The reflection `1 - factor * v @ v.mH`, where `v` begins with 1.
pub(super) struct Reflector<T> {
    pub(super) v: Array1<T>,
    pub(super) factor: T,
    /// What remains of the vector that it was made for: its first element.
    pub(super) length: f64,
}

impl<T: Double> Reflector<T> {
    /// The one whose adjoint turns `x` to a real multiple of the first axis, of
    /// the sign that nothing cancels.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough, as below.
    pub(super) fn new(x: ArrayView1<'_, T>) -> Result<Reflector<T>> {
        let first = x[0];
        let rest: f64 = x.iter().skip(1).map(|it| it.squared_length()).sum();
        let mut v = buffer::owned(&x)?;
        v[0] = T::ONE;
        if rest == 0.0 && first == T::of(first.real()) {
            return Ok(Reflector { v, factor: T::ZERO, length: first.real() });
        }
        let length = -(first.squared_length() + rest).sqrt().copysign(first.real());
        let scale = first.minus(T::of(length));
        v.iter_mut().skip(1).for_each(|it| *it = *it / scale);
        let factor = T::of(length).minus(first) / T::of(length);
        Ok(Reflector { v, factor, length })
    }

    /// Replaces a matrix by its reflection, or by that of the adjoint.
    pub(super) fn apply(&self, matrix: &mut ArrayViewMut2<'_, T>, adjoint: bool) -> Result<()> {
        interrupt::check();
        let factor = if adjoint { self.factor.conj() } else { self.factor };
        if factor == T::ZERO {
            return Ok(());
        }
        let mut sums = Array1::from_vec(buffer::filled(matrix.ncols(), T::ZERO)?);
        for (&v, row) in self.v.iter().zip(matrix.rows()) {
            sums.zip_mut_with(&row, |sum, &x| *sum = sum.plus(v.conj().times(x)));
        }
        for (&v, mut row) in self.v.iter().zip(matrix.rows_mut()) {
            let factor = factor.times(v);
            row.zip_mut_with(&sums, |x, &sum| *x = x.minus(factor.times(sum)));
        }
        Ok(())
    }
}

/// The product of reflections, of which each works below those before it, as a
/// matrix of so many rows and columns. The first works from row `offset` on.
pub(super) fn product<T: Double>(
    reflectors: &[Reflector<T>],
    offset: usize,
    (rows, columns): (usize, usize),
) -> Result<Array2<T>> {
    let mut q = identity(rows, columns)?;
    for (k, reflector) in reflectors.iter().enumerate().rev() {
        let start = offset + k;
        reflector.apply(&mut q.slice_mut(ndarray::s![start.., ..]), false)?;
    }
    Ok(q)
}
