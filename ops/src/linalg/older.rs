//! Decompositions and solutions under their older names, and with older results.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::{QrMode, Result, Scalar, Tensor, ensure};

use super::batch::check_square;
use super::power::identity;
use crate::gradient::sum_to;
use crate::linalg::gradient::adjoint;
use crate::ops::{self, TensorOps};

#[native_op(logdet)]
fn logdet(self_: &Tensor) -> Result<Tensor> {
    let (sign, logarithm) = ops::linalg_slogdet::Default_::call(self_)?;
    if sign.dtype().is_complex_number() {
        return sign.log()?.add(&logarithm);
    }
    let is_negative = sign.eq_scalar(Scalar::Int(-1))?;
    ops::r#where::ScalarSelf::call(&is_negative, Scalar::Float(f64::NAN), &logarithm)
}

#[native_op(svd)]
fn svd(self_: &Tensor, some: bool, compute_uv: bool) -> Result<(Tensor, Tensor, Tensor)> {
    let &[ref batch @ .., rows, columns] = self_.shape() else {
        opwright_runtime::fail!(
            Runtime,
            "input should have at least 2 dimensions, but has {} dimensions instead",
            self_.ndim()
        )
    };
    if compute_uv {
        let (u, values, vh) = ops::linalg_svd::Default_::call(self_, !some, None)?;
        return Ok((u, values, ops::adjoint::Default_::call(&vh)?));
    }
    let values = ops::linalg_svdvals::Default_::call(self_, None)?;
    let square = |size: i64| {
        let shape = [batch, &[size, size]].concat();
        ops::new_zeros::Default_::call(self_, &shape, None, None, None, None)
    };
    Ok((square(rows)?, values, square(columns)?))
}

#[native_op(qr)]
fn qr(self_: &Tensor, some: bool) -> Result<(Tensor, Tensor)> {
    let mode = if some { QrMode::Reduced } else { QrMode::Complete };
    ops::linalg_qr::Default_::call(self_, mode)
}

#[native_op(cholesky_solve)]
fn cholesky_solve(self_: &Tensor, input2: &Tensor, upper: bool) -> Result<Tensor> {
    for (name, tensor) in [("b", self_), ("u", input2)] {
        ensure!(
            tensor.ndim() >= 2,
            Runtime,
            "{name} should have at least 2 dimensions, but has {} dimensions instead",
            tensor.ndim()
        );
    }
    let other = ops::adjoint::Default_::call(input2)?;
    let (lower, upper) = if upper { (&other, input2) } else { (input2, &other) };
    let between = solved(lower, self_, false, false)?;
    solved(upper, &between, true, false)
}

/// What a triangle is multiplied with to make this.
fn solved(triangle: &Tensor, b: &Tensor, upper: bool, has_ones: bool) -> Result<Tensor> {
    ops::linalg_solve_triangular::Default_::call(triangle, b, upper, true, has_ones)
}

#[native_op(cholesky_inverse)]
fn cholesky_inverse(self_: &Tensor, upper: bool) -> Result<Tensor> {
    let &[.., rows, columns] = self_.shape() else {
        opwright_runtime::fail!(
            Runtime,
            "The input tensor A must have at least 2 dimensions, but has {}",
            self_.ndim()
        )
    };
    check_square(rows, columns)?;
    ops::cholesky_solve::Default_::call(&identity(self_)?, self_, upper)
}

/// Of the right side: the solution for `grad`.
#[gradient_helper]
pub(crate) fn cholesky_solved_backward(
    grad: &Tensor,
    sizes: &[i64],
    factor: &Tensor,
    upper: bool,
) -> Result<Tensor> {
    sum_to(&ops::cholesky_solve::Default_::call(grad, factor, upper)?, sizes)
}

/// Of the factor, all of whose elements count: with `G = -A⁻¹ @ grad @ resultᴴ`, the gradient of the
/// matrix, `(G + Gᴴ) @ L`, or `U @ (G + Gᴴ)`.
#[gradient_helper]
pub(crate) fn cholesky_solve_backward(
    grad: &Tensor,
    factor: &Tensor,
    result: &Tensor,
    upper: bool,
) -> Result<Tensor> {
    let solved = ops::cholesky_solve::Default_::call(grad, factor, upper)?;
    let of_matrix = solved.matmul(&adjoint(result)?)?.neg()?;
    sum_to(&of_factor(&of_matrix, factor, upper)?, factor.shape())
}

/// The same with `G = -result @ grad @ result`.
#[gradient_helper]
pub(crate) fn cholesky_inverse_backward(
    grad: &Tensor,
    factor: &Tensor,
    result: &Tensor,
    upper: bool,
) -> Result<Tensor> {
    let of_matrix = result.matmul(grad)?.matmul(result)?.neg()?;
    of_factor(&of_matrix, factor, upper)
}

fn of_factor(of_matrix: &Tensor, factor: &Tensor, upper: bool) -> Result<Tensor> {
    let both = of_matrix.add(&adjoint(of_matrix)?)?;
    if upper { factor.matmul(&both) } else { both.matmul(factor) }
}

#[native_op(triangular_solve)]
fn triangular_solve(
    self_: &Tensor,
    a: &Tensor,
    upper: bool,
    transpose: bool,
    unitriangular: bool,
) -> Result<(Tensor, Tensor)> {
    for (name, tensor) in [("b", self_), ("A", a)] {
        ensure!(
            tensor.ndim() >= 2,
            Runtime,
            "Expected {name} to have at least 2 dimensions, but it has {} dimensions instead",
            tensor.ndim()
        );
    }
    let solution = match transpose {
        true => solved(&a.transpose(-2, -1)?, self_, !upper, unitriangular)?,
        false => solved(a, self_, upper, unitriangular)?,
    };
    let (outer, matrix) = a.shape().split_at(a.ndim() - 2);
    let batch = broadcast_shapes(&[outer, &self_.shape()[..self_.ndim() - 2]])?;
    let coefficients = a.expand(&[&batch[..], matrix].concat())?;
    Ok((solution, ops::clone::Default_::call(&coefficients, None)?))
}

#[native_op(linalg_tensorsolve)]
fn linalg_tensorsolve(self_: &Tensor, other: &Tensor, dims: Option<&[i64]>) -> Result<Tensor> {
    let ndim = self_.ndim() as i64;
    let moved = match dims {
        Some(dims) => {
            let last: Vec<i64> = (ndim - dims.len() as i64..ndim).collect();
            self_.movedim_intlist(dims, &last)?
        }
        None => self_.clone(),
    };
    let (rows, columns) = moved.shape().split_at(other.ndim().min(moved.ndim()));
    let (height, width): (i64, i64) = (rows.iter().product(), columns.iter().product());
    ensure!(
        height == width,
        Runtime,
        "Expected the input to satisfy the requirement prod(shape[other.ndim:]) == \
         prod(shape[:other.ndim]), but got {width} != {height}"
    );
    let matrix = moved.reshape(&[height, width])?;
    let solution = ops::linalg_solve::Default_::call(&matrix, &other.reshape(&[-1])?, true)?;
    solution.reshape(columns)
}

#[native_op(linalg_tensorinv)]
fn linalg_tensorinv(self_: &Tensor, ind: i64) -> Result<Tensor> {
    ensure!(ind > 0, Runtime, "Expected a strictly positive integer for 'ind', but got {ind}");
    let (rows, columns) = self_.shape().split_at(self_.ndim().min(ind as usize));
    let (height, width): (i64, i64) = (rows.iter().product(), columns.iter().product());
    ensure!(
        height == width,
        Runtime,
        "Expected the input to satisfy the requirement prod(shape[ind:]) == prod(shape[:ind]), but \
         got {width} != {height}"
    );
    let inverse = ops::linalg_inv::Default_::call(&self_.reshape(&[height, width])?)?;
    inverse.reshape(&[columns, rows].concat())
}
