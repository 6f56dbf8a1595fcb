//! Systems of linear equations with a triangle.

use opwright_linalg::{ColumnMajor, MatrixScalar, Triangle};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use super::solve::{broadcast, check_same_dtype, transposed};
use crate::linalg::gradient::{adjoint, solve_triangle, tril};
use crate::ops::{self, TensorOps};

#[native_op(linalg_solve_triangular)]
fn linalg_solve_triangular(
    self_: &Tensor,
    b: &Tensor,
    upper: bool,
    left: bool,
    unitriangular: bool,
) -> Result<Tensor> {
    check_same_dtype(self_, b)?;
    Batch::square("A", self_)?;
    if left {
        return solve(self_, b, Triangle { is_upper: upper, is_unit: unitriangular });
    }
    let which = Triangle { is_upper: !upper, is_unit: unitriangular };
    transposed(&solve(&transposed(self_)?, &transposed(b)?, which)?)
}

fn solve(a: &Tensor, b: &Tensor, which: Triangle) -> Result<Tensor> {
    let (a, b) = broadcast(a, b)?;
    let (a, b) = (Batch::square("A", &a)?, Batch::new("B", &b)?);
    let (size, width) = (a.rows, b.columns);
    with_numbers!(a, |T| {
        let mut results = Results::<T>::new(&a, &[size, width])?;
        if !a.is_idle(&[&[size, width]]) {
            let rights = b.matrices::<T>()?;
            a.fill::<T, _>(results.slots(), |index, matrix, result| {
                let matrix = ColumnMajor::of(matrix, (size, size))?;
                let mut right = ColumnMajor::of(rights.at(index), (size, width))?;
                T::solve_triangle(&matrix, which, &mut right);
                right.write_rows(result);
                Ok(())
            })?;
        }
        results.tensor(&a)
    })
}

/// Of both sides of `A @ X = B`, or `X @ A = B`: `grad_B` solves the same system with the adjoint of
/// `A`, and `grad_A` is the triangle of `-grad_B @ Xᴴ`, or `-Xᴴ @ grad_B`.
#[gradient_helper]
pub(crate) fn linalg_solve_triangular_backward(
    grad: &Tensor,
    triangle: &Tensor,
    solution: &Tensor,
    upper: bool,
    left: bool,
    unitriangular: bool,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let of_right = solve_triangle(&adjoint(triangle)?, grad, !upper, left, unitriangular)?;
    if !mask[0] {
        return Ok((None, Some(of_right)));
    }
    let solution = adjoint(solution)?;
    let product = match left {
        true => of_right.matmul(&solution)?,
        false => solution.matmul(&of_right)?,
    };
    let (product, inside) = (product.neg()?, i64::from(unitriangular));
    let of_triangle = match upper {
        true => ops::triu::Default_::call(&product, inside)?,
        false => tril(&product, -inside)?,
    };
    Ok((Some(of_triangle), Some(of_right)))
}
