//! Systems of linear equations.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{Dims, broadcast_shapes};
use opwright_runtime::{Error, Result, Tensor, ensure, view};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::linalg::gradient::{adjoint, as_columns};
use crate::ops::{self, TensorOps};

#[native_op(linalg_solve_ex)]
fn linalg_solve_ex(
    a: &Tensor,
    b: &Tensor,
    left: bool,
    check_errors: bool,
) -> Result<(Tensor, Tensor)> {
    check_same_dtype(a, b)?;
    Batch::square("A", a)?;
    let is_vector = is_batch_of_vectors(a, b);
    ensure!(left || !is_vector, Runtime, "left=False is not possible where B is a vector");
    let b = if is_vector { view::unsqueeze(b, b.ndim())? } else { b.clone() };
    let (result, info) = if left {
        solve_left(a, &b, check_errors)?
    } else {
        let (result, info) = solve_left(&transposed(a)?, &transposed(&b)?, check_errors)?;
        (transposed(&result)?, info)
    };
    let ndim = result.ndim();
    Ok((if is_vector { view::squeeze(&result, ndim - 1)? } else { result }, info))
}

pub(super) fn check_same_dtype(a: &Tensor, b: &Tensor) -> Result<()> {
    ensure!(
        a.dtype() == b.dtype(),
        Runtime,
        "Expected A and B to have the same dtype, but found A of type {} and B of type {} instead",
        a.dtype().title(),
        b.dtype().title()
    );
    Ok(())
}

/// Whether `B` is a vector for each matrix of `A`.
fn is_batch_of_vectors(a: &Tensor, b: &Tensor) -> bool {
    b.ndim() == 1 || (a.ndim() == b.ndim() + 1 && a.shape()[..a.ndim() - 1] == *b.shape())
}

pub(super) fn transposed(tensor: &Tensor) -> Result<Tensor> {
    let ndim = tensor.ndim();
    ensure!(ndim >= 2, Runtime, "B must be a vector or have at least 2 dimensions");
    view::transpose(tensor, ndim - 2, ndim - 1)
}

fn solve_left(a: &Tensor, b: &Tensor, check_errors: bool) -> Result<(Tensor, Tensor)> {
    let (a, b) = broadcast(a, b)?;
    let (a, b) = (Batch::square("A", &a)?, Batch::new("B", &b)?);
    let (size, width) = (a.rows, b.columns);
    with_numbers!(a, |T| {
        let mut results = Results::<T>::new(&a, &[size, width])?;
        let mut infos = Results::<i32>::new(&a, &[])?;
        if !a.is_meta() {
            let rights = b.matrices::<T>()?;
            a.fill::<T, _>((results.slots(), infos.slots()), |index, matrix, (result, info)| {
                let lu = T::lu(ColumnMajor::of(matrix, (size, size))?)?;
                info[0] = lu.info();
                if check_errors && info[0] != 0 {
                    return Err(singular());
                }
                let mut right = ColumnMajor::of(rights.at(index), (size, width))?;
                lu.solve(&mut right);
                right.write_rows(result);
                Ok(())
            })?;
        }
        Ok((results.tensor(&a)?, infos.tensor(&a)?))
    })
}

/// Both with the same batch.
pub(super) fn broadcast(a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let &[ref a_sizes @ .., rows, columns] = a.shape() else {
        return Ok((a.clone(), b.clone()));
    };
    let &[ref b_sizes @ .., height, width] = b.shape() else {
        return Ok((a.clone(), b.clone()));
    };
    ensure!(
        height == rows,
        Runtime,
        "Incompatible shapes of A and B for the equation AX = B ({rows}x{columns} and \
         {height}x{width})"
    );
    let sizes = broadcast_shapes(&[a_sizes, b_sizes])?;
    let stretch = |tensor: &Tensor, matrix: [i64; 2]| {
        let mut shape: Dims = sizes.clone();
        shape.extend_from_slice(&matrix);
        view::expand(tensor, &shape)
    };
    Ok((stretch(a, [rows, columns])?, stretch(b, [height, width])?))
}

#[cold]
fn singular() -> Error {
    Error::lin_alg("The solver failed because the input matrix is singular.")
}

#[native_op(linalg_solve)]
fn linalg_solve(a: &Tensor, b: &Tensor, left: bool) -> Result<Tensor> {
    ops::linalg_solve_ex::Default_::call(a, b, left, true).map(|(result, _)| result)
}

/// Of both sides of `A @ X = B`, or `X @ A = B`: `grad_B` solves the same system with the adjoint of
/// `A`, and `grad_A` is `-grad_B @ Xᴴ`, or `-Xᴴ @ grad_B`.
#[gradient_helper]
pub(crate) fn linalg_solve_backward(
    grad: Option<&Tensor>,
    solution: &Tensor,
    matrices: &Tensor,
    left: bool,
    is_vector: bool,
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let Some(grad) = grad else { return Ok((None, None)) };
    let column = |it: &Tensor| if is_vector { as_columns(it) } else { Ok(it.clone()) };
    let (grad, solution) = (column(grad)?, column(solution)?);
    let transposed = adjoint(matrices)?;
    let (of_right, _) = ops::linalg_solve_ex::Default_::call(&transposed, &grad, left, false)?;
    let solution = adjoint(&solution)?;
    let product = match left {
        true => of_right.matmul(&solution)?,
        false => solution.matmul(&of_right)?,
    };
    let of_right = match is_vector {
        true => ops::squeeze::dim::call(&of_right, -1)?,
        false => of_right,
    };
    Ok((Some(product.neg()?), Some(of_right)))
}
