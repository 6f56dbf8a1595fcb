//! Gradients of sampled functions by central differences, of second order inside and of first or
//! second order at the ends.

use std::slice::from_ref;

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DType, Result, Scalar, Tensor, buffer, ensure};

use super::differences::neighbours;
use crate::gradient::part;
use crate::ops::{self, TensorOps};

/// How far apart the samples along each dimension are.
#[derive(Clone, Copy)]
enum Spacing<'a> {
    /// One distance for all dimensions.
    One(Scalar),
    /// A distance for each.
    Each(&'a [Scalar]),
    /// Coordinates for each.
    Coordinates(&'a [&'a Tensor]),
}

#[native_op(gradient.scalarint)]
fn gradient_scalarint(
    self_: &Tensor,
    spacing: Option<Scalar>,
    dim: Option<i64>,
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    let spacing = Spacing::One(spacing.unwrap_or(Scalar::Int(1)));
    spacing.gradient(self_, dim.as_ref().map(from_ref), edge_order)
}

#[native_op(gradient.scalararray)]
fn gradient_scalararray(
    self_: &Tensor,
    spacing: Scalar,
    dim: &[i64],
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    Spacing::One(spacing).gradient(self_, Some(dim), edge_order)
}

#[native_op(gradient.array)]
fn gradient_array(self_: &Tensor, dim: &[i64], edge_order: i64) -> Result<Vec<Tensor>> {
    Spacing::One(Scalar::Int(1)).gradient(self_, Some(dim), edge_order)
}

#[native_op(gradient.scalarrayint)]
fn gradient_scalarrayint(
    self_: &Tensor,
    spacing: &[Scalar],
    dim: Option<i64>,
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    Spacing::Each(spacing).gradient(self_, dim.as_ref().map(from_ref), edge_order)
}

#[native_op(gradient.scalarrayarray)]
fn gradient_scalarrayarray(
    self_: &Tensor,
    spacing: &[Scalar],
    dim: &[i64],
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    Spacing::Each(spacing).gradient(self_, Some(dim), edge_order)
}

#[native_op(gradient.tensorarrayint)]
fn gradient_tensorarrayint(
    self_: &Tensor,
    spacing: &[&Tensor],
    dim: Option<i64>,
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    Spacing::Coordinates(spacing).gradient(self_, dim.as_ref().map(from_ref), edge_order)
}

#[native_op(gradient.tensorarray)]
fn gradient_tensorarray(
    self_: &Tensor,
    spacing: &[&Tensor],
    dim: &[i64],
    edge_order: i64,
) -> Result<Vec<Tensor>> {
    Spacing::Coordinates(spacing).gradient(self_, Some(dim), edge_order)
}

impl Spacing<'_> {
    /// The gradient along each of these dimensions, or of all.
    fn gradient(
        self,
        tensor: &Tensor,
        dims: Option<&[i64]>,
        edge_order: i64,
    ) -> Result<Vec<Tensor>> {
        ensure!(tensor.dtype() != DType::UInt8, Runtime, "gradient does not support uint8 input.");
        ensure!(
            matches!(edge_order, 1 | 2),
            Runtime,
            "gradient only supports edge_order=1 and edge_order=2."
        );
        check_count(tensor, self, dims)?;
        let dims = chosen(tensor, dims)?;
        for &dim in &dims {
            ensure!(
                tensor.shape()[dim] > edge_order,
                Runtime,
                "gradient expected each dimension size to be at least edge_order+1"
            );
        }
        buffer::try_collected(dims.iter().enumerate().map(|(at, &dim)| match self {
            Spacing::One(step) => even(tensor, dim, step, edge_order),
            Spacing::Each(steps) => {
                let step = if let [only] = steps { *only } else { steps[at] };
                even(tensor, dim, step, edge_order)
            }
            Spacing::Coordinates(all) => uneven(tensor, dim, all[at], edge_order),
        }))
    }
}

/// As many distances as dimensions.
fn check_count(tensor: &Tensor, spacing: Spacing<'_>, dims: Option<&[i64]>) -> Result<()> {
    let (count, may_be_one) = match spacing {
        Spacing::One(_) => return Ok(()),
        Spacing::Each(steps) => (steps.len(), dims.is_none()),
        Spacing::Coordinates(all) => (all.len(), false),
    };
    match dims {
        Some(dims) => ensure!(
            count == dims.len(),
            Runtime,
            "gradient expected spacing to be unspecified, a scalar or it's spacing and dim \
             arguments to have the same length, but got a spacing argument of length {count} and a \
             dim argument of length {}.",
            dims.len()
        ),
        None => ensure!(
            count == tensor.ndim() || (may_be_one && count == 1),
            Runtime,
            "gradient expected spacing to be unspecified, a scalar, or a list of length equal to \
             'self.dim() = {}', since dim argument is not given, but got a list of length {count}.",
            tensor.ndim()
        ),
    }
    Ok(())
}

fn chosen(tensor: &Tensor, dims: Option<&[i64]>) -> Result<Vec<usize>> {
    let Some(dims) = dims else { return Ok((0..tensor.ndim()).collect()) };
    let mut found = Vec::new();
    for &dim in dims {
        let dim = wrap_dim(dim, tensor.ndim())?;
        ensure!(
            dim < tensor.ndim(),
            Index,
            "Dimension specified as {dim} but tensor has no dimensions"
        );
        ensure!(
            !found.contains(&dim),
            Runtime,
            "dim {dim} appears multiple times in the list of dims"
        );
        found.push(dim);
    }
    Ok(found)
}

/// Samples at one distance.
fn even(tensor: &Tensor, dim: usize, step: Scalar, edge_order: i64) -> Result<Tensor> {
    let size = tensor.shape()[dim];
    let at = |index: i64| part(tensor, dim, index, index + 1);
    let (first, last) = if edge_order == 1 {
        (at(1)?.sub(&at(0)?)?, at(size - 1)?.sub(&at(size - 2)?)?)
    } else {
        let weights = [-1.5, 2.0, -0.5];
        let first = weighted(weights, [&at(0)?, &at(1)?, &at(2)?])?;
        let last = weighted(weights, [&at(size - 1)?, &at(size - 2)?, &at(size - 3)?])?;
        (first, last.neg()?)
    };
    let behind = part(tensor, dim, 2, i64::MAX)?;
    let center = behind.sub(&part(tensor, dim, 0, size - 2)?)?.div_scalar(Scalar::Int(2))?;
    let all = ops::cat::Default_::call(&[&first, &center, &last], dim as i64)?;
    all.div_scalar(step)
}

fn weighted(weights: [f64; 3], samples: [&Tensor; 3]) -> Result<Tensor> {
    let [one, two, three] = weights.map(Scalar::Float);
    let sum = samples[0].mul_scalar(one)?.add(&samples[1].mul_scalar(two)?)?;
    sum.add(&samples[2].mul_scalar(three)?)
}

/// Samples at coordinates.
fn uneven(tensor: &Tensor, dim: usize, coordinates: &Tensor, edge_order: i64) -> Result<Tensor> {
    let size = tensor.shape()[dim];
    ensure!(
        coordinates.ndim() == 1,
        Runtime,
        "gradient expected each element of spacing to have one dimension, but got an element with \
         {} dimensions!",
        coordinates.ndim()
    );
    ensure!(
        coordinates.numel() as i64 == size,
        Runtime,
        "gradient expected spacing of {size} coordinates along dimension {dim}, but got {}",
        coordinates.numel()
    );
    let (before, behind) = neighbours(coordinates, 0)?;
    let mut shape = vec![1; tensor.ndim()];
    shape[dim] = size - 1;
    let steps = behind.sub(&before)?.reshape(&shape)?;
    let at = |index: i64| part(tensor, dim, index, index + 1);
    let step = |index: i64| part(&steps, dim, index, index + 1);
    let (first, last) = if edge_order == 1 {
        let first = at(1)?.sub(&at(0)?)?.div(&step(0)?)?;
        (first, at(size - 1)?.sub(&at(size - 2)?)?.div(&step(size - 2)?)?)
    } else {
        let first = one_sided([&at(0)?, &at(1)?, &at(2)?], &step(0)?, &step(1)?)?;
        let samples = [&at(size - 1)?, &at(size - 2)?, &at(size - 3)?];
        let last = one_sided(samples, &step(size - 2)?, &step(size - 3)?)?;
        (first, last.neg()?)
    };
    let center = central(tensor, dim, &steps)?;
    ops::cat::Default_::call(&[&first, &center, &last], dim as i64)
}

/// The slope at the first of three samples, whose distances are `h` and `k`.
fn one_sided(samples: [&Tensor; 3], h: &Tensor, k: &Tensor) -> Result<Tensor> {
    let both = h.add(k)?;
    let first = h.add(&both)?.div(&h.mul(&both)?)?.neg()?;
    let second = both.div(&h.mul(k)?)?;
    let third = h.div(&k.mul(&both)?)?.neg()?;
    let sum = samples[0].mul(&first)?.add(&samples[1].mul(&second)?)?;
    sum.add(&samples[2].mul(&third)?)
}

/// The slopes at all samples but those at the ends.
fn central(tensor: &Tensor, dim: usize, steps: &Tensor) -> Result<Tensor> {
    let size = tensor.shape()[dim];
    let (h, k) = neighbours(steps, dim)?;
    let both = h.add(&k)?;
    let before = k.div(&h.mul(&both)?)?.neg()?;
    let middle = k.sub(&h)?.div(&h.mul(&k)?)?;
    let behind = h.div(&k.mul(&both)?)?;
    let sum = part(tensor, dim, 0, size - 2)?.mul(&before)?;
    let sum = sum.add(&part(tensor, dim, 1, size - 1)?.mul(&middle)?)?;
    sum.add(&part(tensor, dim, 2, size)?.mul(&behind)?)
}
