//! Histograms of points in several dimensions: counts by boxes between edges along each.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor, buffer, ensure};

use crate::ops::{self, TensorOps};

#[native_op(histogramdd)]
fn histogramdd(
    self_: &Tensor,
    bins: &[i64],
    range: Option<&[f64]>,
    weight: Option<&Tensor>,
    density: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    let points = Points::new(self_, weight)?;
    points.check_count(bins.len())?;
    let edges = points.even_edges(bins, range)?;
    let hist = points.histogram(&edges.iter().collect::<Vec<_>>(), density)?;
    Ok((hist, edges))
}

#[native_op(histogramdd.int_bins)]
fn histogramdd_int_bins(
    self_: &Tensor,
    bins: i64,
    range: Option<&[f64]>,
    weight: Option<&Tensor>,
    density: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    let dims = *self_.shape().last().unwrap_or(&0);
    let bins = buffer::filled(dims as usize, bins)?;
    ops::histogramdd::Default_::call(self_, &bins, range, weight, density)
}

#[native_op(histogramdd.TensorList_bins)]
fn histogramdd_tensorlist_bins(
    self_: &Tensor,
    bins: &[&Tensor],
    _range: Option<&[f64]>,
    weight: Option<&Tensor>,
    density: bool,
) -> Result<(Tensor, Vec<Tensor>)> {
    let points = Points::new(self_, weight)?;
    points.check_count(bins.len())?;
    for edges in bins {
        ensure!(
            edges.ndim() == 1 && edges.numel() > 0,
            Runtime,
            "expected each tensor of bin edges to have one dimension and at least one element, but \
             got shape {:?}",
            edges.shape()
        );
        ensure!(
            edges.dtype() == self_.dtype(),
            Runtime,
            "expected bin edges of the dtype of the input, {}, but got {}",
            self_.dtype().title(),
            edges.dtype().title()
        );
    }
    let hist = points.histogram(bins, density)?;
    let copies = bins.iter().map(|it| ops::clone::Default_::call(it, None));
    Ok((hist, buffer::try_collected(copies)?))
}

/// Points, a row each, and how much each counts.
struct Points {
    rows: Tensor,
    weights: Option<Tensor>,
}

impl Points {
    fn new(input: &Tensor, weight: Option<&Tensor>) -> Result<Points> {
        ensure!(
            input.ndim() >= 2,
            Runtime,
            "input tensor should have at least 2 dimensions, but got {}",
            input.ndim()
        );
        ensure!(
            input.dtype().is_floating(),
            NotImplemented,
            "\"histogramdd\" not implemented for '{}'",
            input.dtype().title()
        );
        let (dims, outer) = input.shape().split_last().unwrap_or((&0, &[]));
        if let Some(weight) = weight {
            ensure!(
                weight.dtype() == input.dtype(),
                Runtime,
                "if weight tensor is provided, input tensor and weight tensor should have the same \
                 dtype, but got input(dtype = {}) and weight(dtype = {})",
                input.dtype().title(),
                weight.dtype().title()
            );
            ensure!(
                weight.shape() == outer,
                Runtime,
                "if weight tensor is provided it should have the same shape as the input tensor \
                 excluding its innermost dimension, but got input with shape {:?} and weight with \
                 shape {:?}",
                input.shape(),
                weight.shape()
            );
        }
        let count: i64 = outer.iter().product();
        let rows = ops::detach::Default_::call(input)?.reshape(&[count, *dims])?;
        let weights = weight.map(|it| ops::detach::Default_::call(it)?.reshape(&[count]));
        Ok(Points { rows, weights: weights.transpose()? })
    }

    fn dims(&self) -> i64 {
        self.rows.shape()[1]
    }

    fn check_count(&self, count: usize) -> Result<()> {
        let dims = self.dims();
        ensure!(
            count as i64 == dims,
            Runtime,
            "expected {dims} sequences of bin edges for a {dims}-dimensional histogram but got \
             {count}"
        );
        Ok(())
    }

    /// Edges at equal distances, along each dimension.
    fn even_edges(&self, bins: &[i64], range: Option<&[f64]>) -> Result<Vec<Tensor>> {
        let dims = self.dims();
        if let Some(range) = range {
            ensure!(
                range.len() as i64 == 2 * dims,
                Runtime,
                "for a {dims}-dimensional histogram range should have {} elements, but got {}",
                2 * dims,
                range.len()
            );
        }
        let edges = bins.iter().enumerate().map(|(dim, &count)| {
            ensure!(count > 0, Runtime, "bins {bins:?} must be > 0");
            let (low, high) = match range {
                Some(range) => (range[2 * dim], range[2 * dim + 1]),
                None if self.rows.shape()[0] == 0 => (0.0, 1.0),
                None => self.extremes(dim as i64)?,
            };
            ensure!(
                low.is_finite() && high.is_finite(),
                Runtime,
                "dimension {dim}'s range [{low}, {high}] is not finite"
            );
            ensure!(
                low <= high,
                Runtime,
                "min should not exceed max, but got min {low} max {high} for dimension {dim}"
            );
            let (low, high) = if low == high { (low - 0.5, high + 0.5) } else { (low, high) };
            ops::linspace::Default_::call(
                Scalar::Float(low),
                Scalar::Float(high),
                count.saturating_add(1),
                Some(self.rows.dtype()),
                None,
                Some(self.rows.device()),
                None,
            )
        });
        buffer::try_collected(edges)
    }

    fn extremes(&self, dim: i64) -> Result<(f64, f64)> {
        let (low, high) = self.rows.select(1, dim)?.aminmax()?;
        let number = |it: &Tensor| ops::_local_scalar_dense::Default_::call(it)?.to_f64();
        Ok((number(&low)?, number(&high)?))
    }

    /// How much weight each box between edges has; the last ones hold their upper ends, too.
    fn histogram(&self, edges: &[&Tensor], density: bool) -> Result<Tensor> {
        let count = self.rows.shape()[0];
        let mut weights = match &self.weights {
            Some(weights) => weights.clone(),
            None => ops::new_ones::Default_::call(&self.rows, &[count], None, None, None, None)?,
        };
        let mut places = crate::gradient::numbers(&self.rows, 0, count, 0)?;
        let mut shape = Vec::new();
        for (dim, edges) in edges.iter().enumerate() {
            let boxes = edges.numel() as i64 - 1;
            shape.push(boxes);
            let values = self.rows.select(1, dim as i64)?;
            let passed = ops::searchsorted::Tensor::call(edges, &values, false, true, None, None)?;
            let is_end = values.eq(&edges.select(0, -1)?)?;
            let is_inside = passed.ge_scalar(Scalar::Int(1))?;
            let is_inside = is_inside.logical_and(&passed.le_scalar(Scalar::Int(boxes))?)?;
            let is_inside = is_inside.logical_or(&is_end)?;
            weights = ops::r#where::ScalarOther::call(&is_inside, &weights, Scalar::Int(0))?;
            let place = ops::clamp::Default_::call(
                &passed,
                Some(Scalar::Int(1)),
                Some(Scalar::Int(boxes.max(1))),
            )?;
            let place = ops::sub::Scalar::call(&place, Scalar::Int(1), Scalar::Int(1))?;
            places = places.mul_scalar(Scalar::Int(boxes))?.add(&place)?;
        }
        let boxes: i64 = shape.iter().product();
        let sums = ops::new_zeros::Default_::call(&self.rows, &[boxes], None, None, None, None)?;
        let hist = match boxes {
            0 => sums,
            _ => sums.index_add(0, &places, &weights)?,
        };
        let hist = hist.reshape(&shape)?;
        if density { per_volume(&hist, edges) } else { Ok(hist) }
    }
}

/// The share of all weight in a box, by its volume.
fn per_volume(hist: &Tensor, edges: &[&Tensor]) -> Result<Tensor> {
    let mut density = hist.div(&hist.sum()?)?;
    for (dim, edges) in edges.iter().enumerate() {
        let (before, behind) = super::differences::neighbours(edges, 0)?;
        let mut shape = vec![1; hist.ndim()];
        shape[dim] = -1;
        density = density.div(&behind.sub(&before)?.reshape(&shape)?)?;
    }
    Ok(density)
}
