//! Systems of linear equations with a matrix that was factored before.

use opwright_linalg::{ColumnMajor, Lu, ProductForm};
use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Tensor, buffer, ensure, view};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use super::solve::{broadcast, check_same_dtype, transposed};

#[native_op(linalg_lu_solve)]
fn linalg_lu_solve(
    lu: &Tensor,
    pivots: &Tensor,
    b: &Tensor,
    left: bool,
    adjoint: bool,
) -> Result<Tensor> {
    check_same_dtype(lu, b)?;
    Batch::square("LU", lu)?;
    ensure!(
        pivots.dtype().is_integral(),
        Runtime,
        "linalg.lu_solve: pivots should be integers such as int32, but they are {}",
        pivots.dtype().title()
    );
    ensure!(
        lu.shape()[..lu.ndim() - 1] == *pivots.shape(),
        Runtime,
        "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix"
    );
    let form = ProductForm { is_transposed: left == adjoint, is_conjugate: adjoint };
    if left {
        solve(lu, pivots, b, form)
    } else {
        transposed(&solve(lu, pivots, &transposed(b)?, form)?)
    }
}

fn solve(lu: &Tensor, pivots: &Tensor, b: &Tensor, form: ProductForm) -> Result<Tensor> {
    let (lu, b) = broadcast(lu, b)?;
    let pivots = view::expand(pivots, &lu.shape()[..lu.ndim() - 1])?;
    let (lu, b) = (Batch::square("LU", &lu)?, Batch::new("B", &b)?);
    let (size, width) = (lu.rows, b.columns);
    with_numbers!(lu, |T| {
        let mut results = Results::<T>::new(&lu, &[size, width])?;
        if !lu.is_idle(&[&[size, width]]) {
            let rights = b.matrices::<T>()?;
            let pivots = pivots.to_dtype(DType::Int64)?.to_contiguous()?;
            // SAFETY: results are other memory, and threads that share a tensor do not write
            // to it while an operator reads it.
            let pivots = unsafe { pivots.as_slice::<i64>()? };
            lu.fill::<T, _>(results.slots(), |index, matrix, result| {
                let exchanges = exchanges(&pivots[index * size..][..size])?;
                let lu = Lu { triangles: ColumnMajor::of(matrix, (size, size))?, exchanges };
                let mut right = ColumnMajor::of(rights.at(index), (size, width))?;
                lu.solve_form(form, &mut right);
                right.write_rows(result);
                Ok(())
            })?;
        }
        results.tensor(&lu)
    })
}

/// With which row each is exchanged.
fn exchanges(pivots: &[i64]) -> Result<Vec<usize>> {
    let size = pivots.len();
    for &it in pivots {
        ensure!(
            1 <= it && it <= size as i64,
            Runtime,
            "Pivots given to lu_solve must all be from 1 to {size}, but one is {it}. Did you properly \
             pass the result of lu_factor?"
        );
    }
    buffer::collected(pivots.iter().map(|it| *it as usize - 1))
}
