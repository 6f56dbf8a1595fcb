//! Systems of equations with a triangle.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place,
    solve_unit_upper_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{MatMut, MatRef, Par};
use opwright_runtime::interrupt;

use crate::columns::ColumnMajor;
use crate::number::RealOrComplex;

/// Which part of a matrix counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// The upper part, else the lower.
    pub is_upper: bool,
    /// The diagonal is 1, whatever the matrix has there.
    pub is_unit: bool,
}

/// So many right sides are worked on at once at most, so that it does not take long.
const MANY: usize = 256;

pub(crate) fn solve<T: RealOrComplex>(
    matrix: &ColumnMajor<T>,
    which: Triangle,
    right: &mut ColumnMajor<T>,
) {
    let mut right = right.view_mut();
    while right.ncols() > 0 {
        interrupt::check();
        let few = right.ncols().min(MANY);
        let (some, rest) = right.split_at_col_mut(few);
        solve_few(matrix.view(), which, some);
        right = rest;
    }
}

fn solve_few<T: RealOrComplex>(matrix: MatRef<'_, T>, which: Triangle, right: MatMut<'_, T>) {
    match (which.is_upper, which.is_unit) {
        (true, true) => solve_unit_upper_triangular_in_place(matrix, right, Par::Seq),
        (true, false) => solve_upper_triangular_in_place(matrix, right, Par::Seq),
        (false, true) => solve_unit_lower_triangular_in_place(matrix, right, Par::Seq),
        (false, false) => solve_lower_triangular_in_place(matrix, right, Par::Seq),
    }
}
