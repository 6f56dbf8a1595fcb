//! Factoring a square matrix into a lower and an upper triangle.

use ndarray::{Array2, ArrayView2, Axis, s};
use opwright_runtime::{Result, buffer, interrupt};

use super::batch::{Double, reordered};

/// A matrix, whose rows were exchanged, as the product of two triangles.
pub(super) struct Lu<T> {
    /// Both triangles in one matrix; the diagonal of the lower one is 1.
    triangles: Array2<T>,
    /// Which row of the matrix each row of the product is.
    order: Vec<usize>,
    /// Whether the number of exchanges is odd.
    is_odd: bool,
    /// The first zero on the diagonal, if there is one.
    zero: Option<usize>,
}

impl<T: Double> Lu<T> {
    pub(super) fn new(matrix: ArrayView2<'_, T>) -> Result<Lu<T>> {
        let triangles = buffer::owned(&matrix)?;
        let order = buffer::collected(0..matrix.nrows())?;
        let mut lu = Lu { triangles, order, is_odd: false, zero: None };
        for k in 0..matrix.nrows() {
            interrupt::check();
            lu.bring_up_greatest(k);
            if lu.triangles[[k, k]] == T::ZERO {
                lu.zero.get_or_insert(k);
            } else {
                lu.clear_below(k);
            }
        }
        Ok(lu)
    }

    /// Exchanges rows so that the greatest element of column `k` is on the diagonal.
    fn bring_up_greatest(&mut self, k: usize) {
        let mut best = k;
        for i in k + 1..self.order.len() {
            if self.triangles[[i, k]].length() > self.triangles[[best, k]].length() {
                best = i;
            }
        }
        if best != k {
            let (mut upper, mut lower) = self.triangles.view_mut().split_at(Axis(0), best);
            ndarray::Zip::from(upper.row_mut(k)).and(lower.row_mut(0)).for_each(std::mem::swap);
            self.order.swap(k, best);
            self.is_odd = !self.is_odd;
        }
    }

    /// Subtracts multiples of row `k` from those below it.
    fn clear_below(&mut self, k: usize) {
        let (upper, mut lower) = self.triangles.view_mut().split_at(Axis(0), k + 1);
        let (pivot, rest) = (upper[[k, k]], upper.slice(s![k, k + 1..]));
        for mut row in lower.rows_mut() {
            let factor = row[k] / pivot;
            row[k] = factor;
            row.slice_mut(s![k + 1..]).zip_mut_with(&rest, |x, &y| *x = x.minus(factor.times(y)));
        }
    }

    /// The number, from 1, of the first element of the diagonal that is zero,
    /// or 0.
    pub(super) fn info(&self) -> i32 {
        self.zero.map_or(0, |k| k as i32 + 1)
    }

    /// Sign, or direction in the complex plane, and logarithm of the length of
    /// the determinant.
    pub(super) fn log_determinant(&self) -> (T, f64) {
        let mut sign = if self.is_odd { T::ONE.negated() } else { T::ONE };
        let mut logarithm = 0.0;
        for &value in self.triangles.diag() {
            let length = value.length();
            if length == 0.0 {
                return (T::ZERO, f64::NEG_INFINITY);
            }
            sign = sign.times(value / T::of(length));
            logarithm += length.ln();
        }
        (sign, logarithm)
    }

    pub(super) fn determinant(&self) -> T {
        let start = if self.is_odd { T::ONE.negated() } else { T::ONE };
        self.triangles.diag().iter().fold(start, |product, &value| product.times(value))
    }

    /// The matrix that, multiplied from the left by the factored one, is `right`.
    pub(super) fn solve(&self, right: ArrayView2<'_, T>) -> Result<Array2<T>> {
        let mut x = reordered(right, &self.order)?;
        for i in 0..self.order.len() {
            interrupt::check();
            let (done, mut open) = x.view_mut().split_at(Axis(0), i);
            let mut row = open.row_mut(0);
            for (&factor, other) in self.triangles.row(i).iter().zip(done.rows()) {
                row.zip_mut_with(&other, |x, &y| *x = x.minus(factor.times(y)));
            }
        }
        for i in (0..self.order.len()).rev() {
            interrupt::check();
            let (mut open, done) = x.view_mut().split_at(Axis(0), i + 1);
            let mut row = open.row_mut(i);
            let factors = self.triangles.row(i);
            for (&factor, other) in factors.iter().skip(i + 1).zip(done.rows()) {
                row.zip_mut_with(&other, |x, &y| *x = x.minus(factor.times(y)));
            }
            row.mapv_inplace(|x| x / factors[i]);
        }
        Ok(x)
    }
}
