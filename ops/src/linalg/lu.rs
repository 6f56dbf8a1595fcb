//! Factors of matrices whose rows were exchanged.

use opwright_linalg::{ColumnMajor, Lu, MatrixScalar, RealOrComplex};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{Error, Result, Tensor, ensure};

use super::batch::{Batch, MatrixElement, with_numbers};
use super::results::Results;
use crate::linalg::gradient::{adjoint, solve_triangle, tril, triu};
use crate::ops::{self, TensorOps};

#[native_op(linalg_lu_factor_ex)]
fn linalg_lu_factor_ex(
    a: &Tensor,
    pivot: bool,
    check_errors: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    check_pivot(pivot)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    with_numbers!(batch, |T| {
        let mut factors = Results::<T>::new(&batch, &[rows, columns])?;
        let mut pivots = Results::<i32>::new(&batch, &[rows.min(columns)])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        let outputs = (factors.slots(), pivots.slots(), infos.slots());
        batch.fill::<T, _>(outputs, |_, matrix, (factors, pivots, info)| {
            let lu = T::lu(ColumnMajor::of(matrix, (rows, columns))?)?;
            info[0] = lu.info();
            if check_errors && info[0] != 0 {
                return Err(zero(info[0]));
            }
            lu.triangles.write_rows(factors);
            for (pivot, other) in pivots.iter_mut().zip(&lu.exchanges) {
                *pivot = *other as i32 + 1;
            }
            Ok(())
        })?;
        Ok((factors.tensor(&batch)?, pivots.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

fn check_pivot(pivot: bool) -> Result<()> {
    ensure!(pivot, Runtime, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
    Ok(())
}

#[cold]
fn zero(info: i32) -> Error {
    Error::lin_alg(format_args!(
        "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If \
         you still want to perform the factorization, consider calling linalg.lu(A, pivot) or \
         linalg.lu_factor_ex(A, pivot)"
    ))
}

#[native_op(linalg_lu_factor)]
fn linalg_lu_factor(a: &Tensor, pivot: bool) -> Result<(Tensor, Tensor)> {
    let (factors, pivots, _) = ops::linalg_lu_factor_ex::Default_::call(a, pivot, false)?;
    Ok((factors, pivots))
}

#[native_op(linalg_lu)]
fn linalg_lu(a: &Tensor, pivot: bool) -> Result<(Tensor, Tensor, Tensor)> {
    check_pivot(pivot)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let steps = rows.min(columns);
    with_numbers!(batch, |T| {
        let mut permutations = Results::<T>::new(&batch, &[rows, rows])?;
        let mut lowers = Results::<T>::new(&batch, &[rows, steps])?;
        let mut uppers = Results::<T>::new(&batch, &[steps, columns])?;
        if !batch.is_idle(&[&[rows, rows]]) {
            let outputs = (permutations.slots(), lowers.slots(), uppers.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (permutation, lower, upper)| {
                let lu = T::lu(ColumnMajor::of(matrix, (rows, columns))?)?;
                unpack(&lu, permutation, lower, upper)
            })?;
        }
        Ok((permutations.tensor(&batch)?, lowers.tensor(&batch)?, uppers.tensor(&batch)?))
    })
}

/// Writes the three factors in row-major order, to memory that is zero.
fn unpack<T: MatrixElement>(lu: &Lu<T>, p: &mut [T], l: &mut [T], u: &mut [T]) -> Result<()> {
    let ((rows, columns), steps) = (lu.triangles.dim(), lu.exchanges.len());
    for (row, &from) in lu.order()?.iter().enumerate() {
        p[from * rows + row] = <T as RealOrComplex>::ONE;
    }
    for row in 0..rows {
        for column in 0..columns {
            let it = lu.triangles.at(row, column);
            match row > column {
                true => l[row * steps + column] = it,
                false => u[row * columns + column] = it,
            }
        }
        if row < steps {
            l[row * steps + row] = <T as RealOrComplex>::ONE;
        }
    }
    Ok(())
}

/// Of `A = P @ L @ U`. Where `A` is square it is
/// `P @ L⁻ᴴ @ (tril(Lᴴ @ grad_L, -1) + triu(grad_U @ Uᴴ)) @ U⁻ᴴ`. Further columns and rows have theirs
/// alone, and add to the gradients of the triangle that they were solved with.
#[gradient_helper]
pub(crate) fn linalg_lu_backward(
    grad_l: Option<&Tensor>,
    grad_u: Option<&Tensor>,
    p: &Tensor,
    l: &Tensor,
    u: &Tensor,
    _pivot: bool,
) -> Result<Option<Tensor>> {
    if grad_l.is_none() && grad_u.is_none() {
        return Ok(None);
    }
    let or_zeros = |grad: Option<&Tensor>, like: &Tensor| match grad {
        Some(grad) => Ok(grad.clone()),
        None => ops::zeros_like::Default_::call(like, None, None, None, None, None),
    };
    let (grad_l, grad_u) = (or_zeros(grad_l, l)?, or_zeros(grad_u, u)?);
    let (rows, columns, size) = (l.size_of(-2)?, u.size_of(-1)?, l.size_of(-1)?);
    let top = |it: &Tensor| ops::narrow::Default_::call(it, -2, 0, size);
    let left = |it: &Tensor| ops::narrow::Default_::call(it, -1, 0, size);
    let (l_top, u_left) = (top(l)?, left(u)?);
    let (mut of_l, mut of_u) = (top(&grad_l)?, left(&grad_u)?);
    let mut further = None;
    if columns > size {
        let outside = |it: &Tensor| ops::narrow::Default_::call(it, -1, size, columns - size);
        let solved = solve_triangle(&adjoint(&l_top)?, &outside(&grad_u)?, true, true, true)?;
        of_l = of_l.sub(&solved.matmul(&adjoint(&outside(u)?)?)?)?;
        further = Some((solved, -1));
    } else if rows > size {
        let outside = |it: &Tensor| ops::narrow::Default_::call(it, -2, size, rows - size);
        let solved = solve_triangle(&adjoint(&u_left)?, &outside(&grad_l)?, false, false, false)?;
        of_u = of_u.sub(&adjoint(&outside(l)?)?.matmul(&solved)?)?;
        further = Some((solved, -2));
    }
    let lower = tril(&adjoint(&l_top)?.matmul(&of_l)?, -1)?;
    let inner = lower.add(&triu(&of_u.matmul(&adjoint(&u_left)?)?)?)?;
    let inner = solve_triangle(&adjoint(&l_top)?, &inner, true, true, true)?;
    let inner = solve_triangle(&adjoint(&u_left)?, &inner, false, false, false)?;
    let all = match further {
        Some((further, dim)) => ops::cat::Default_::call(&[&inner, &further], dim)?,
        None => inner,
    };
    p.matmul(&all).map(Some)
}

/// Of both triangles in one matrix.
#[gradient_helper]
pub(crate) fn lu_factor_ex_backward(
    grad: &Tensor,
    matrices: &Tensor,
    _factors: &Tensor,
    pivot: bool,
) -> Result<Option<Tensor>> {
    let (p, l, u) = ops::linalg_lu::Default_::call(matrices, pivot)?;
    let size = l.size_of(-1)?;
    let grad_l = tril(&ops::narrow::Default_::call(grad, -1, 0, size)?, -1)?;
    let grad_u = triu(&ops::narrow::Default_::call(grad, -2, 0, size)?)?;
    linalg_lu_backward(Some(&grad_l), Some(&grad_u), &p, &l, &u, pivot)
}
