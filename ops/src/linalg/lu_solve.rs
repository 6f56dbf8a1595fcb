//! Systems of linear equations with a matrix that was factored before.

use opwright_linalg::{ColumnMajor, Lu, ProductForm};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{DType, Result, Tensor, buffer, ensure, view};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use super::solve::{broadcast, check_same_dtype, transposed};
use crate::linalg::gradient::{adjoint, solve_triangle, tril, triu};
use crate::ops::{self, TensorOps};

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

/// Of the triangles of `A = P @ L @ U`, with which `A @ X = B` was solved: the triangles of `M` and
/// `L⁻ᴴ @ M @ Uᴴ`, where `M` is `-U⁻ᴴ @ grad @ Xᴴ`. Of `Aᴴ @ X = B` they are those of `Lᴴ @ N @ U⁻ᴴ` and
/// `N`, which is `-Pᵀ @ X @ gradᴴ @ P @ L⁻ᴴ`. The other side is that of the adjoints.
#[gradient_helper]
pub(crate) fn linalg_lu_solve_lu(
    grad: &Tensor,
    factors: &Tensor,
    pivots: &Tensor,
    solution: &Tensor,
    left: bool,
    adjoint_: bool,
) -> Result<Tensor> {
    let side = |it: &Tensor| if left { Ok(it.clone()) } else { adjoint(it) };
    let (grad, solution) = (side(grad)?, side(solution)?);
    let transposed = adjoint(factors)?;
    let (lower, upper) = if left != adjoint_ {
        let product = grad.matmul(&adjoint(&solution)?)?.neg()?;
        let inner = solve_triangle(&transposed, &product, false, true, false)?;
        let outer = inner.matmul(&tril(&transposed, 0)?)?;
        (solve_triangle(&transposed, &outer, true, true, true)?, inner)
    } else {
        let product = permuted(&solution, factors, pivots)?
            .matmul(&adjoint(&permuted(&grad, factors, pivots)?)?)?
            .neg()?;
        let inner = solve_triangle(&transposed, &product, true, false, true)?;
        let unit = with_unit_diagonal(&ops::triu::Default_::call(&transposed, 1)?)?;
        let outer = unit.matmul(&inner)?;
        (inner, solve_triangle(&transposed, &outer, false, false, false)?)
    };
    tril(&lower, -1)?.add(&triu(&upper)?)
}

/// Triangles without diagonals, with ones there.
fn with_unit_diagonal(triangles: &Tensor) -> Result<Tensor> {
    triangles.add(&identity(triangles)?)
}

fn identity(like: &Tensor) -> Result<Tensor> {
    let (size, dtype) = (like.size_of(-1)?, Some(like.dtype()));
    ops::eye::Default_::call(size, dtype, None, Some(like.device()), None)
}

/// `Pᵀ @ it`: what solves a system with both triangles the identity.
fn permuted(it: &Tensor, factors: &Tensor, pivots: &Tensor) -> Result<Tensor> {
    let ones = ops::expand::Default_::call(&identity(factors)?, factors.shape(), false)?;
    ops::linalg_lu_solve::Default_::call(&ones, pivots, it, true, false)
}
