//! Triangles of matrices, and systems of equations with them.

use opwright_macros::gradient_helper;
use opwright_runtime::{Result, Tensor};

use super::linalg::adjoint;
use crate::ops::{self, TensorOps};

/// The solution of a system with a triangle.
fn solve(triangle: &Tensor, right: &Tensor, upper: bool, left: bool, unit: bool) -> Result<Tensor> {
    ops::linalg_solve_triangular::Default_::call(triangle, right, upper, left, unit)
}

fn tril(matrices: &Tensor, diagonal: i64) -> Result<Tensor> {
    ops::tril::Default_::call(matrices, diagonal)
}

fn triu(matrices: &Tensor) -> Result<Tensor> {
    ops::triu::Default_::call(matrices, 0)
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
    let of_right = solve(&adjoint(triangle)?, grad, !upper, left, unitriangular)?;
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
        let solved = solve(&adjoint(&l_top)?, &outside(&grad_u)?, true, true, true)?;
        of_l = of_l.sub(&solved.matmul(&adjoint(&outside(u)?)?)?)?;
        further = Some((solved, -1));
    } else if rows > size {
        let outside = |it: &Tensor| ops::narrow::Default_::call(it, -2, size, rows - size);
        let solved = solve(&adjoint(&u_left)?, &outside(&grad_l)?, false, false, false)?;
        of_u = of_u.sub(&adjoint(&outside(l)?)?.matmul(&solved)?)?;
        further = Some((solved, -2));
    }
    let lower = tril(&adjoint(&l_top)?.matmul(&of_l)?, -1)?;
    let inner = lower.add(&triu(&of_u.matmul(&adjoint(&u_left)?)?)?)?;
    let inner = solve(&adjoint(&l_top)?, &inner, true, true, true)?;
    let inner = solve(&adjoint(&u_left)?, &inner, false, false, false)?;
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
        let inner = solve(&transposed, &product, false, true, false)?;
        let outer = inner.matmul(&tril(&transposed, 0)?)?;
        (solve(&transposed, &outer, true, true, true)?, inner)
    } else {
        let product = permuted(&solution, factors, pivots)?
            .matmul(&adjoint(&permuted(&grad, factors, pivots)?)?)?
            .neg()?;
        let inner = solve(&transposed, &product, true, false, true)?;
        let unit = with_unit_diagonal(&ops::triu::Default_::call(&transposed, 1)?)?;
        let outer = unit.matmul(&inner)?;
        (inner, solve(&transposed, &outer, false, false, false)?)
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
