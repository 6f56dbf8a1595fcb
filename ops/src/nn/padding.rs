//! Borders around a tensor.

use std::ops::Range;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::Dims;
use opwright_runtime::{PaddingMode, Result, Scalar, Tensor, buffer, ensure, view};

use crate::ops;

#[native_op(constant_pad_nd)]
fn constant_pad_nd(self_: &Tensor, pad: &[i64], value: Scalar) -> Result<Tensor> {
    let borders = borders(self_, pad)?;
    let mut shape = Dims::from_slice(self_.shape());
    let mut source = self_.clone();
    for (dim, &(before, after)) in borders.iter().enumerate() {
        let size = self_.shape()[dim];
        let padded = size.checked_add(before).and_then(|it| it.checked_add(after));
        ensure!(
            padded.is_some_and(|it| it >= 0),
            Runtime,
            "The input size {size}, plus negative padding {before} and {after}, resulted in a \
             negative output size, which is invalid. Check dimension {dim} of your input."
        );
        shape[dim] = padded.unwrap_or_default();
        // What a negative border takes away.
        let start = before.min(0).saturating_neg().min(size);
        let end = size + after.min(0).max(start - size);
        source = view::narrow(&source, dim, start, end - start)?;
    }
    let result = Tensor::filled(&shape, value, self_.dtype(), self_.device())?;
    let mut target = result.clone();
    for (dim, &(before, _)) in borders.iter().enumerate() {
        let length = source.shape()[dim];
        target = view::narrow(&target, dim, before.max(0).min(shape[dim] - length), length)?;
    }
    target.copy_from(&source)?;
    Ok(result)
}

/// What comes before and after each dimension. The list begins with the last one.
fn borders(tensor: &Tensor, pad: &[i64]) -> Result<Vec<(i64, i64)>> {
    ensure!(
        pad.len().is_multiple_of(2),
        Runtime,
        "Length of pad must be even but instead it equals {}",
        pad.len()
    );
    let ndim = tensor.ndim();
    ensure!(
        pad.len() / 2 <= ndim,
        Runtime,
        "Length of pad should be no more than twice the number of dimensions of the input. Pad \
         length is {} while the input has {ndim} dimensions.",
        pad.len()
    );
    let mut borders = vec![(0, 0); ndim];
    for (border, pair) in borders.iter_mut().rev().zip(pad.chunks_exact(2)) {
        *border = (pair[0], pair[1]);
    }
    Ok(borders)
}

#[native_op(pad)]
fn pad(self_: &Tensor, pad: &[i64], mode: PaddingMode, value: Option<f64>) -> Result<Tensor> {
    let continuation = match mode {
        PaddingMode::Constant => {
            let value = Scalar::Float(value.unwrap_or(0.0));
            return ops::constant_pad_nd::Default_::call(self_, pad, value);
        }
        PaddingMode::Reflect => Continuation::Reflect,
        PaddingMode::Replicate => Continuation::Replicate,
        PaddingMode::Circular => Continuation::Circular,
    };
    ensure!(
        value.unwrap_or(0.0) == 0.0,
        Runtime,
        "Padding mode \"{}\" doesn't take in value argument",
        mode.word()
    );
    let borders = borders(self_, pad)?;
    if borders.iter().all(|&it| it == (0, 0)) {
        // Nothing is added: a copy, as in the other mode.
        return ops::clone::Default_::call(self_, None);
    }
    let mut result = self_.clone();
    for (dim, (before, after)) in borders.into_iter().enumerate() {
        if (before, after) == (0, 0) {
            continue;
        }
        let size = self_.shape()[dim];
        let indices = continuation.indices(size, before, after)?;
        if self_.device().is_meta() {
            let mut shape = result.shape().to_vec();
            shape[dim] = indices.len() as i64;
            result = ops::new_empty::Default_::call(&result, &shape, None, None, None, None)?;
            continue;
        }
        let index = Tensor::from_vec(&[indices.len() as i64], indices)?;
        result = ops::index_select::Default_::call(&result, dim as i64, &index)?;
    }
    Ok(result)
}

#[native_op(reflection_pad1d)]
fn reflection_pad1d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 1, PaddingMode::Reflect)
}

#[native_op(reflection_pad2d)]
fn reflection_pad2d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 2, PaddingMode::Reflect)
}

#[native_op(reflection_pad3d)]
fn reflection_pad3d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 3, PaddingMode::Reflect)
}

#[native_op(replication_pad1d)]
fn replication_pad1d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 1, PaddingMode::Replicate)
}

#[native_op(replication_pad2d)]
fn replication_pad2d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 2, PaddingMode::Replicate)
}

#[native_op(replication_pad3d)]
fn replication_pad3d(self_: &Tensor, padding: &[i64]) -> Result<Tensor> {
    padded_image(self_, padding, 3, PaddingMode::Replicate)
}

/// An image of so many dimensions, or a batch of them, with a border.
fn padded_image(image: &Tensor, padding: &[i64], dims: usize, mode: PaddingMode) -> Result<Tensor> {
    ensure!(
        image.ndim() == dims + 1 || image.ndim() == dims + 2,
        Runtime,
        "Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero \
         dimensions for input, but got: {:?}",
        dims + 1,
        dims + 2,
        image.shape()
    );
    ensure!(
        padding.len() == 2 * dims,
        Runtime,
        "padding size is expected to be {}, but got: {}",
        2 * dims,
        padding.len()
    );
    ops::pad::Default_::call(image, padding, mode, None)
}

/// How a tensor goes on beyond its ends with elements of its own.
#[derive(Clone, Copy)]
enum Continuation {
    /// Mirrored at the first and the last element.
    Reflect,
    /// With the first and the last element.
    Replicate,
    /// From the other end.
    Circular,
}

impl Continuation {
    /// Which elements stand along a padded dimension.
    fn indices(self, size: i64, before: i64, after: i64) -> Result<Vec<i64>> {
        ensure!(
            size > 0,
            Runtime,
            "padding ({before}, {after}) has nothing to repeat: a dimension is empty"
        );
        let (start, end) = (before.saturating_neg(), size.saturating_add(after));
        ensure!(
            start <= end && end.saturating_sub(start) < i64::from(i32::MAX),
            Runtime,
            "padding ({before}, {after}) does not fit a dimension of size {size}"
        );
        // What negative borders leave, which alone comes round in a circle.
        let kept = start.max(0)..end.min(size);
        ensure!(
            !matches!(self, Continuation::Circular) || kept.start < kept.end || start == end,
            Runtime,
            "padding ({before}, {after}) leaves nothing to repeat of a dimension of size {size}"
        );
        buffer::collected((start..end).map(|at| self.index(at, size, &kept)))
    }

    fn index(self, at: i64, size: i64, kept: &Range<i64>) -> i64 {
        match self {
            Continuation::Circular => {
                kept.start + (at - kept.start).rem_euclid(kept.end - kept.start)
            }
            _ if (0..size).contains(&at) => at,
            // To and fro, as often as it takes.
            Continuation::Reflect => {
                let round = at.rem_euclid((2 * (size - 1)).max(1));
                round.min(2 * (size - 1) - round)
            }
            Continuation::Replicate => at.clamp(0, size - 1),
        }
    }
}

/// `grad` without the border.
#[gradient_helper]
pub(crate) fn constant_pad_nd_backward(grad: &Tensor, pad: &[i64]) -> Result<Tensor> {
    let negated: Vec<i64> = pad.iter().map(|it| it.saturating_neg()).collect();
    ops::constant_pad_nd::Default_::call(grad, &negated, Scalar::Int(0))
}
