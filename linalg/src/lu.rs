//! Factoring a matrix into a lower and an upper triangle.
//!
//! `faer` divides by the greatest element of a column also where that is zero, so that
//! nothing is left of what a singular matrix has. What is between its products is
//! therefore done here, as LAPACK does it.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj as lower_in_place,
    solve_unit_lower_triangular_in_place,
    solve_unit_lower_triangular_in_place_with_conj as unit_lower_in_place,
    solve_unit_upper_triangular_in_place_with_conj as unit_upper_in_place,
    solve_upper_triangular_in_place_with_conj as upper_in_place,
};
use faer::{Accum, Conj, MatMut, MatRef, Par};
use opwright_runtime::{Result, buffer, interrupt};

use crate::columns::ColumnMajor;
use crate::number::{RealOrComplex, RealScalar};

/// A matrix, whose rows were exchanged, as the product of two triangles.
#[derive(Debug)]
pub struct Lu<T> {
    /// Both triangles in one matrix; the diagonal of the lower one is 1.
    pub triangles: ColumnMajor<T>,
    /// With which row, that one or one below, each was exchanged, one after the other.
    pub exchanges: Vec<usize>,
}

/// In which form a matrix is multiplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductForm {
    /// Rows as columns.
    pub is_transposed: bool,
    /// Conjugates of its numbers.
    pub is_conjugate: bool,
}

impl<T: RealOrComplex> Lu<T> {
    /// The number, from 1, of the first element of the diagonal that is zero, or 0.
    pub fn info(&self) -> i32 {
        let zero = self.diagonal().position(|it| it == T::ZERO);
        zero.map_or(0, |k| k as i32 + 1)
    }

    fn diagonal(&self) -> impl Iterator<Item = T> {
        (0..self.exchanges.len()).map(|k| self.triangles.at(k, k))
    }

    /// The determinant of the exchanges alone.
    fn sign(&self) -> f64 {
        let exchanges = self.exchanges.iter().enumerate().filter(|(k, it)| k != *it).count();
        if exchanges % 2 == 0 { 1.0 } else { -1.0 }
    }

    /// The determinant of a square matrix.
    pub fn determinant(&self) -> T {
        let start = T::of_parts(self.sign(), 0.0);
        self.diagonal().fold(start, |product, it| product * it)
    }

    /// The same as its sign, or direction in the complex plane, and the logarithm of its
    /// length.
    pub fn log_determinant(&self) -> (T, T::Real) {
        let mut sign = T::of_parts(self.sign(), 0.0);
        let mut logarithm = 0.0;
        for it in self.diagonal() {
            let (re, im) = it.parts();
            let length = re.hypot(im);
            if length == 0.0 {
                return (T::ZERO, T::Real::of(f64::NEG_INFINITY));
            }
            sign *= T::of_parts(re / length, im / length);
            logarithm += length.ln();
        }
        (sign, T::Real::of(logarithm))
    }

    /// Which row of the matrix each row of the product of the triangles is.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn order(&self) -> Result<Vec<usize>> {
        let mut order = buffer::collected(0..self.triangles.dim().0)?;
        self.exchanges.iter().enumerate().for_each(|(row, &other)| order.swap(row, other));
        Ok(order)
    }
}

pub(crate) fn decompose<T: RealOrComplex>(mut matrix: ColumnMajor<T>) -> Result<Lu<T>> {
    let (rows, columns) = matrix.dim();
    let mut exchanges = buffer::filled(rows.min(columns), 0)?;
    factor(matrix.view_mut(), &mut exchanges);
    Ok(Lu { triangles: matrix, exchanges })
}

/// So many columns are factored one after the other.
const FEW: usize = 16;

/// And so many at once at most, so that no product takes long.
const MANY: usize = 256;

/// Factors a matrix, and says with which row, counted from the first of this matrix,
/// each was exchanged.
fn factor<T: RealOrComplex>(mut matrix: MatMut<'_, T>, exchanges: &mut [usize]) {
    interrupt::check();
    let steps = exchanges.len();
    if steps <= FEW {
        return factor_few(matrix, exchanges);
    }
    let half = (steps / 2).next_multiple_of(FEW).min(MANY);
    let (mut left, mut right) = matrix.as_mut().split_at_col_mut(half);
    factor(left.as_mut(), &mut exchanges[..half]);
    exchange(right.as_mut(), &exchanges[..half]);
    let (upper, lower) = left.as_ref().split_at_row(half);
    let (mut beside, mut rest) = right.split_at_row_mut(half);
    solve_unit_lower_triangular_in_place(upper, beside.as_mut(), Par::Seq);
    let minus = T::of_parts(-1.0, 0.0);
    matmul(rest.as_mut(), Accum::Add, lower, beside.as_ref(), minus, Par::Seq);
    factor(rest, &mut exchanges[half..]);
    exchange(left.split_at_row_mut(half).1, &exchanges[half..]);
    exchanges[half..].iter_mut().for_each(|it| *it += half);
}

/// Exchanges rows, one after the other.
fn exchange<T: RealOrComplex>(matrix: MatMut<'_, T>, exchanges: &[usize]) {
    for column in matrix.col_iter_mut() {
        if let Some(column) = column.try_as_col_major_mut() {
            let elements = column.as_slice_mut();
            exchanges.iter().enumerate().for_each(|(row, &other)| elements.swap(row, other));
        }
    }
}

/// Undoes [`exchange`].
fn exchange_back<T: RealOrComplex>(matrix: MatMut<'_, T>, exchanges: &[usize]) {
    for column in matrix.col_iter_mut() {
        if let Some(column) = column.try_as_col_major_mut() {
            let elements = column.as_slice_mut();
            exchanges.iter().enumerate().rev().for_each(|(row, &other)| elements.swap(row, other));
        }
    }
}

/// [`factor`], column by column.
fn factor_few<T: RealOrComplex>(mut matrix: MatMut<'_, T>, exchanges: &mut [usize]) {
    for k in 0..exchanges.len() {
        let (_, rest) = matrix.as_mut().split_at_col_mut(k);
        let (pivot_column, others) = rest.split_at_col_mut(1);
        let Some(column) = pivot_column.col_mut(0).try_as_col_major_mut() else { continue };
        let column = column.as_slice_mut();
        let best = greatest(column, k);
        exchanges[k] = best;
        column.swap(k, best);
        let (pivot, below) = (column[k], &mut column[k + 1..]);
        let is_zero = pivot == T::ZERO;
        if !is_zero {
            below.iter_mut().for_each(|it| *it = it.divided(pivot));
        }
        for other in others.col_iter_mut() {
            let Some(other) = other.try_as_col_major_mut() else { continue };
            let other = other.as_slice_mut();
            other.swap(k, best);
            let factor = other[k];
            if !is_zero {
                let rest = other[k + 1..].iter_mut().zip(&*below);
                rest.for_each(|(x, &y)| *x -= y * factor);
            }
        }
        exchange_left(matrix.as_mut(), k, best);
    }
}

/// Exchanges two rows in the columns to the left of the `k`-th.
fn exchange_left<T: RealOrComplex>(matrix: MatMut<'_, T>, k: usize, best: usize) {
    if k != best {
        let (left, _) = matrix.split_at_col_mut(k);
        for column in left.col_iter_mut() {
            if let Some(column) = column.try_as_col_major_mut() {
                column.as_slice_mut().swap(k, best);
            }
        }
    }
}

/// The first of the greatest elements from `start` on.
fn greatest<T: RealOrComplex>(column: &[T], start: usize) -> usize {
    let length = |it: T| {
        let (re, im) = it.parts();
        re.abs() + im.abs()
    };
    let mut best = (start, length(column[start]));
    for (at, &it) in column.iter().enumerate().skip(start + 1) {
        if length(it) > best.1 {
            best = (at, length(it));
        }
    }
    best.0
}

pub(crate) fn solve<T: RealOrComplex>(lu: &Lu<T>, form: ProductForm, right: &mut ColumnMajor<T>) {
    let mut right = right.view_mut();
    if !form.is_transposed {
        exchange(right.as_mut(), &lu.exchanges);
    }
    let mut rest = right.as_mut();
    while rest.ncols() > 0 {
        interrupt::check();
        let few = rest.ncols().min(MANY);
        let (some, others) = rest.split_at_col_mut(few);
        solve_few(lu.triangles.view(), form, some);
        rest = others;
    }
    if form.is_transposed {
        exchange_back(right, &lu.exchanges);
    }
}

fn solve_few<T: RealOrComplex>(
    triangles: MatRef<'_, T>,
    form: ProductForm,
    mut right: MatMut<'_, T>,
) {
    let conj = if form.is_conjugate { Conj::Yes } else { Conj::No };
    if form.is_transposed {
        let triangles = triangles.transpose();
        lower_in_place(triangles, conj, right.as_mut(), Par::Seq);
        unit_upper_in_place(triangles, conj, right, Par::Seq);
    } else {
        unit_lower_in_place(triangles, conj, right.as_mut(), Par::Seq);
        upper_in_place(triangles, conj, right, Par::Seq);
    }
}
