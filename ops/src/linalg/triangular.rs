//! Systems of linear equations with a triangle.

use opwright_linalg::{ColumnMajor, MatrixScalar, Triangle};
use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use super::solve::{broadcast, check_same_dtype, transposed};

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
