//! Differences of neighbours along a dimension, and integrals by the trapezoidal rule.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure};

use crate::gradient::part;
use crate::ops::{self, TensorOps};

#[native_op(diff)]
fn diff(
    self_: &Tensor,
    n: i64,
    dim: i64,
    prepend: Option<&Tensor>,
    append: Option<&Tensor>,
) -> Result<Tensor> {
    ensure!(self_.ndim() >= 1, Runtime, "diff expects input to be at least one-dimensional");
    ensure!(n >= 0, Runtime, "order must be non-negative but got {n}");
    let dim = wrap_dim(dim, self_.ndim())?;
    if n == 0 {
        return ops::clone::Default_::call(self_, None);
    }
    for other in [prepend, append].into_iter().flatten() {
        check_joinable(self_, other, dim)?;
    }
    let all: Vec<&Tensor> = [prepend, Some(self_), append].into_iter().flatten().collect();
    let mut line = match all[..] {
        [only] => Tensor::clone(only),
        _ => ops::cat::Default_::call(&all, dim as i64)?,
    };
    let order = n.min(line.shape()[dim]);
    if order == 0 {
        return ops::clone::Default_::call(&line, None);
    }
    for _ in 0..order {
        let (before, behind) = neighbours(&line, dim)?;
        line = match line.dtype() {
            DType::Bool => behind.logical_xor(&before)?,
            _ => behind.sub(&before)?,
        };
    }
    Ok(line)
}

fn check_joinable(tensor: &Tensor, other: &Tensor, dim: usize) -> Result<()> {
    ensure!(
        other.ndim() == tensor.ndim(),
        Runtime,
        "diff expects prepend or append to be the same dimension as input"
    );
    let mut pairs = tensor.shape().iter().zip(other.shape()).enumerate();
    ensure!(
        pairs.all(|(at, (one, other))| at == dim || one == other),
        Runtime,
        "diff expects the shape of tensor to prepend or append to match that of input except along \
         the differencing dimension; input.size() = {:?}, but got {:?}",
        tensor.shape(),
        other.shape()
    );
    Ok(())
}

/// All elements of a dimension but the last, and all but the first.
pub(super) fn neighbours(tensor: &Tensor, dim: usize) -> Result<(Tensor, Tensor)> {
    let size = tensor.shape()[dim];
    Ok((part(tensor, dim, 0, (size - 1).max(0))?, part(tensor, dim, 1, i64::MAX)?))
}

#[native_op(trapezoid.x)]
fn trapezoid_x(y: &Tensor, x: &Tensor, dim: i64) -> Result<Tensor> {
    let along = wrap_dim(dim, y.ndim())?;
    if let Some(zeros) = of_no_samples(y, along)? {
        return Ok(zeros);
    }
    let areas = areas_between(y, x, along)?;
    let sum = ops::sum::dim_IntList::call(&areas, Some(&[dim]), false, None)?;
    sum.div_scalar(Scalar::Int(2))
}

#[native_op(trapezoid.dx)]
fn trapezoid_dx(y: &Tensor, dx: Scalar, dim: i64) -> Result<Tensor> {
    let along = wrap_dim(dim, y.ndim())?;
    if let Some(zeros) = of_no_samples(y, along)? {
        return Ok(zeros);
    }
    check_numbers(y)?;
    ensure_samples(y)?;
    // The ends count half.
    let ends = y.select(dim, 0)?.add(&y.select(dim, -1)?)?.div_scalar(Scalar::Int(2))?;
    let sum = ops::sum::dim_IntList::call(y, Some(&[dim]), false, None)?;
    sum.sub(&ends)?.mul_scalar(dx)
}

#[native_op(cumulative_trapezoid.x)]
fn cumulative_trapezoid_x(y: &Tensor, x: &Tensor, dim: i64) -> Result<Tensor> {
    let areas = areas_between(y, x, wrap_dim(dim, y.ndim())?)?;
    areas.cumsum(dim)?.div_scalar(Scalar::Int(2))
}

#[native_op(cumulative_trapezoid.dx)]
fn cumulative_trapezoid_dx(y: &Tensor, dx: Scalar, dim: i64) -> Result<Tensor> {
    check_numbers(y)?;
    ensure_samples(y)?;
    let (before, behind) = neighbours(y, wrap_dim(dim, y.ndim())?)?;
    let areas = before.add(&behind)?.mul_scalar(dx)?;
    areas.cumsum(dim)?.div_scalar(Scalar::Int(2))
}

/// Zeros in the shape without the dimension, if nothing lies along it.
fn of_no_samples(y: &Tensor, dim: usize) -> Result<Option<Tensor>> {
    ensure_samples(y)?;
    if y.shape()[dim] != 0 {
        return Ok(None);
    }
    let mut shape = y.shape().to_vec();
    shape.remove(dim);
    ops::new_zeros::Default_::call(y, &shape, None, None, None, None).map(Some)
}

fn ensure_samples(y: &Tensor) -> Result<()> {
    ensure!(y.ndim() > 0, Index, "Dimension specified as -1 but tensor has no dimensions");
    Ok(())
}

fn check_numbers(tensor: &Tensor) -> Result<()> {
    ensure!(
        !tensor.dtype().is_boolean(),
        Runtime,
        "received a bool input for `x` or `y`, but bool is not supported"
    );
    Ok(())
}

/// Twice the areas between neighbours: `(x1 - x0) * (y1 + y0)`.
fn areas_between(y: &Tensor, x: &Tensor, dim: usize) -> Result<Tensor> {
    check_numbers(y)?;
    check_numbers(x)?;
    ensure_samples(y)?;
    let x = match x.ndim() {
        1 => {
            ensure!(
                x.shape()[0] == y.shape()[dim],
                Runtime,
                "There must be one `x` value for each sample point, but there are {} and {}",
                x.shape()[0],
                y.shape()[dim]
            );
            let mut shape = vec![1; y.ndim()];
            shape[dim] = x.shape()[0];
            x.reshape(&shape)?
        }
        ndim => {
            let missing = y.ndim().saturating_sub(ndim);
            x.reshape(&[&vec![1; missing][..], x.shape()].concat())?
        }
    };
    let (x0, x1) = neighbours(&x, dim)?;
    let (y0, y1) = neighbours(y, dim)?;
    x1.sub(&x0)?.mul(&y1.add(&y0)?)
}
