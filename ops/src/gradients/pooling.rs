//! Means of windows of an image.

use opwright_macros::gradient_helper;
use opwright_runtime::{Error, Result, Scalar, Tensor, buffer, ensure, fail};

use super::copies::to;
use crate::ops::{self, TensorOps};

/// The windows along one dimension of an image, as the forward call had them.
struct Windows {
    /// The size of the image.
    size: i64,
    kernel: i64,
    stride: i64,
    padding: i64,
    /// How many windows there are.
    count: i64,
}

impl Windows {
    /// Where a window begins and ends, padding included.
    fn padded(&self, window: i64) -> (i64, i64) {
        let start = window * self.stride - self.padding;
        (start, (start + self.kernel).min(self.size + self.padding))
    }

    /// Where a window begins and ends in the image.
    fn within(&self, window: i64) -> (i64, i64) {
        let (start, end) = self.padded(window);
        (start.clamp(0, self.size), end.clamp(0, self.size))
    }

    /// How many elements a window counts.
    fn lengths(&self, with_padding: bool) -> Vec<i64> {
        let bounds = |it| if with_padding { self.padded(it) } else { self.within(it) };
        (0..self.count).map(bounds).map(|(start, end)| end - start).collect()
    }

    /// Each element gets the sum of `grad` over the windows that it is in, along a dimension.
    fn spread(&self, grad: &Tensor, dim: i64) -> Result<Tensor> {
        let (mut windows, mut elements) = (Vec::new(), Vec::new());
        for window in 0..self.count {
            let (start, end) = self.within(window);
            windows.extend((start..end).map(|_| window));
            elements.extend(start..end);
        }
        let index =
            |of: &[i64]| Tensor::from_slice(&[of.len() as i64], of)?.to_device(grad.device());
        let mut shape = grad.shape().to_vec();
        let axis = shape.len() - dim.unsigned_abs() as usize;
        shape[axis] = self.size;
        let zeros = ops::new_zeros::Default_::call(grad, &shape, None, None, None, None)?;
        let shares = grad.index_select(dim, &index(&windows)?)?;
        ops::index_add::Default_::call(&zeros, dim, &index(&elements)?, &shares, Scalar::Int(1))
    }
}

/// The number for rows and the one for columns.
fn pair(list: &[i64]) -> Result<[i64; 2]> {
    match *list {
        [both] => Ok([both, both]),
        [rows, columns] => Ok([rows, columns]),
        _ => Err(Error::runtime("windows have two dimensions")),
    }
}

/// Each element gets `grad` of the windows that it is in, over what the forward call divided
/// their sums by.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn avg_pool2d_backward(
    grad: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    _ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Option<i64>,
) -> Result<Tensor> {
    ensure!(self_.ndim() >= 2 && grad.ndim() >= 2, Runtime, "an image has two dimensions");
    let (kernel, padding) = (pair(kernel_size)?, pair(padding)?);
    let stride = if stride.is_empty() { kernel } else { pair(stride)? };
    let along = |at: usize| -> Result<Windows> {
        let dim = at as i64 - 2;
        let (size, count) = (self_.size_of(dim)?, grad.size_of(dim)?);
        let [kernel, stride, padding] = [kernel, stride, padding].map(|it| it[at]);
        Ok(Windows { size, kernel, stride, padding, count })
    };
    let (rows, columns) = (along(0)?, along(1)?);
    let share = match divisor_override {
        Some(divisor) => grad.div_scalar(Scalar::Int(divisor))?,
        None => {
            let of = |it: &Windows, shape: &[i64]| {
                let lengths = it.lengths(count_include_pad);
                Tensor::from_slice(shape, &lengths)?.to_device(grad.device())
            };
            let counts = of(&rows, &[rows.count, 1])?.mul(&of(&columns, &[columns.count])?)?;
            grad.div(&counts)?
        }
    };
    rows.spread(&columns.spread(&share, -1)?, -2)
}

/// Of averages over as many regions as asked for: each element gets its share of the gradient of
/// every region that it is in. With the averages along both dimensions as matrices, the gradient of
/// `A @ x @ B` is that of two products.
#[gradient_helper]
pub(crate) fn adaptive_avg_pool2d_backward(grad: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    let [.., height, width] = *sizes else {
        fail!(Runtime, "averages over regions are of at least two dimensions, not {sizes:?}")
    };
    let (rows, columns) = (regions(height, grad, -2)?, regions(width, grad, -1)?);
    let along_rows = ops::matmul::Default_::call(&ops::t::Default_::call(&rows)?, grad)?;
    ops::matmul::Default_::call(&along_rows, &columns)
}

/// A matrix that averages a dimension of this size over the regions that `grad` has one element of
/// each: from `floor(i * size / n)` to before `ceil((i + 1) * size / n)`.
fn regions(size: i64, grad: &Tensor, dim: i64) -> Result<Tensor> {
    let count = grad.size_of(dim)?;
    let mut shares = buffer::filled((count * size) as usize, 0.0_f64)?;
    for region in 0..count {
        let start = region * size / count;
        let end = ((region + 1) * size + count - 1) / count;
        for at in start..end {
            shares[(region * size + at) as usize] = 1.0 / (end - start) as f64;
        }
    }
    to(&Tensor::from_vec(&[count, size], shares)?, grad.dtype())
}
