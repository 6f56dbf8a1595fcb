//! `flip`, `roll` and `rot90`: elements mirrored, rolled, rotated.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure, view};

use crate::creation::filling::empty_like;
use crate::ops;

#[native_op(flip)]
fn flip(self_: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mirrored = DimSet::new(dims, self_.ndim())?;
    let mut view = self_.clone();
    for dim in (0..self_.ndim()).filter(|&dim| mirrored.contains(dim)) {
        view = view::flip(&view, dim)?;
    }
    let mut out = empty_like(self_)?;
    out.copy_from(&view)?;
    Ok(out)
}

#[native_op(fliplr)]
fn fliplr(self_: &Tensor) -> Result<Tensor> {
    ensure!(self_.ndim() >= 2, Runtime, "Input must be >= 2-d.");
    crate::ops::flip::Default_::call(self_, &[1])
}

#[native_op(flipud)]
fn flipud(self_: &Tensor) -> Result<Tensor> {
    ensure!(self_.ndim() >= 1, Runtime, "Input must be >= 1-d.");
    crate::ops::flip::Default_::call(self_, &[0])
}

#[native_op(roll)]
fn roll(self_: &Tensor, shifts: &[i64], dims: &[i64]) -> Result<Tensor> {
    ensure!(!shifts.is_empty(), Runtime, "`shifts` required");
    if dims.is_empty() && shifts.len() == 1 {
        let moved = rolled(&view::reshape(self_, &[-1])?, shifts[0], 0)?;
        let moved = view::reshape(&moved, self_.shape())?;
        if self_.is_contiguous() {
            return Ok(moved);
        }
        let mut out = empty_like(self_)?;
        out.copy_from(&moved)?;
        return Ok(out);
    }
    ensure!(
        shifts.len() == dims.len(),
        Runtime,
        "shifts and dimensions must align. shifts: {}, dims:{}",
        shifts.len(),
        dims.len()
    );
    let mut result = self_.clone();
    for (&shift, &dim) in shifts.iter().zip(dims) {
        ensure!(
            self_.ndim() > 0,
            Index,
            "Dimension specified as {dim} but tensor has no dimensions"
        );
        result = rolled(&result, shift, wrap_dim(dim, self_.ndim())?)?;
    }
    if !result.is_same(self_) {
        return Ok(result);
    }
    let mut out = empty_like(self_)?;
    out.copy_from(self_)?;
    Ok(out)
}

/// A copy whose elements moved along one dimension, and around its end.
fn rolled(tensor: &Tensor, shift: i64, dim: usize) -> Result<Tensor> {
    let out = empty_like(tensor)?;
    let size = tensor.shape()[dim];
    if size > 0 {
        let shift = shift.rem_euclid(size);
        for (from, to, length) in [(size - shift, 0, shift), (0, shift, size - shift)] {
            view::narrow(&out, dim, to, length)?
                .copy_from(&view::narrow(tensor, dim, from, length)?)?;
        }
    }
    Ok(out)
}

#[native_op(rot90)]
fn rot90(self_: &Tensor, k: i64, dims: &[i64]) -> Result<Tensor> {
    let ndim = self_.ndim();
    ensure!(
        dims.len() == 2,
        Runtime,
        "expected total rotation dims == 2, but got dims = {}",
        dims.len()
    );
    ensure!(ndim >= 2, Runtime, "expected total dims >= 2, but got total dims = {ndim}");
    let (first, second) = (wrap_dim(dims[0], ndim)?, wrap_dim(dims[1], ndim)?);
    ensure!(
        first != second,
        Runtime,
        "expected rotation dims to be different, but got dim0 = {} and dim1 = {}",
        dims[0],
        dims[1]
    );
    let mirror = |dims: &[i64]| flip(self_, dims);
    match k.rem_euclid(4) {
        1 => view::transpose(&mirror(&[second as i64])?, first, second),
        2 => mirror(dims),
        3 => view::transpose(&mirror(&[first as i64])?, first, second),
        _ => self_.copy(),
    }
}

/// `grad` rolled back.
#[gradient_helper]
pub(crate) fn roll_backward(grad: &Tensor, shifts: &[i64], dims: &[i64]) -> Result<Tensor> {
    let shifts: Vec<i64> = shifts.iter().rev().map(|it| it.saturating_neg()).collect();
    let dims: Vec<i64> = dims.iter().rev().copied().collect();
    ops::roll::Default_::call(grad, &shifts, &dims)
}
