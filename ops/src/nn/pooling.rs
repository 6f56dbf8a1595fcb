//! Means of windows of an image.

use ndarray::ArrayView1;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::{
    Error, Result, Scalar, Spec, Tensor, along_dim, buffer, dispatch, ensure, fail, view,
};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

/// The windows along one dimension of an image.
#[derive(Clone, Copy, Debug)]
struct Windows {
    /// The size of the image.
    size: i64,
    kernel: i64,
    stride: i64,
    padding: i64,
    /// How many windows there are.
    count: i64,
}

/// The window of one output.
struct Window {
    start: usize,
    end: usize,
    /// Its length with the padding that it covers.
    padded: i64,
}

impl Windows {
    fn new(size: i64, kernel: i64, stride: i64, padding: i64, ceil_mode: bool) -> Result<Windows> {
        ensure!(
            kernel > 0 && stride > 0,
            Runtime,
            "kernel size and stride should be greater than zero, but got {kernel} and {stride}"
        );
        ensure!(
            padding >= 0 && padding <= kernel / 2,
            Runtime,
            "pad should be at most half of effective kernel size, but got pad={padding}, \
             kernel_size={kernel}"
        );
        let room = size.saturating_add(2 * padding).saturating_sub(kernel);
        let up = if ceil_mode { stride - 1 } else { 0 };
        let mut count = room.saturating_add(up).div_euclid(stride) + 1;
        // The last window begins inside the image or its left border.
        if ceil_mode && (count - 1).saturating_mul(stride) >= size + padding {
            count -= 1;
        }
        ensure!(
            count > 0,
            Runtime,
            "a window of {kernel} does not fit an image of {size} with padding {padding}: Output \
             size is too small"
        );
        Ok(Windows { size, kernel, stride, padding, count })
    }

    fn window(&self, index: i64) -> Window {
        let start = index * self.stride - self.padding;
        let end = (start + self.kernel).min(self.size + self.padding);
        Window {
            start: start.clamp(0, self.size) as usize,
            end: end.clamp(0, self.size) as usize,
            padded: end - start,
        }
    }
}

/// One number for both dimensions, or one for each.
fn pair(list: &[i64], name: &str) -> Result<[i64; 2]> {
    match *list {
        [both] => Ok([both, both]),
        [rows, columns] => Ok([rows, columns]),
        _ => Err(not_a_pair(list, name)),
    }
}

#[cold]
fn not_a_pair(list: &[i64], name: &str) -> Error {
    Error::runtime(format_args!(
        "{name} must either be a single int, or a tuple of two ints, not {list:?}"
    ))
}

fn image_size(input: &Tensor) -> Result<[i64; 2]> {
    match *input.shape() {
        [_, rows, columns] | [_, _, rows, columns] => Ok([rows, columns]),
        ref other => Err(Error::runtime(format_args!(
            "Expected 3D or 4D (batch mode) tensor as input, but got shape {other:?}"
        ))),
    }
}

fn windows(
    input: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
) -> Result<[Windows; 2]> {
    let size = image_size(input)?;
    let kernel = pair(kernel_size, "kernel_size")?;
    let stride = if stride.is_empty() { kernel } else { pair(stride, "stride")? };
    let padding = pair(padding, "padding")?;
    let along = |at: usize| Windows::new(size[at], kernel[at], stride[at], padding[at], ceil_mode);
    Ok([along(0)?, along(1)?])
}

#[native_op(avg_pool2d.out, rule)]
fn avg_pool2d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    _count_include_pad: bool,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    ensure!(divisor_override != Some(0), Runtime, "divisor must be not zero");
    let [rows, columns] = windows(self_, kernel_size, stride, padding, ceil_mode)?;
    if !self_.dtype().is_floating() && !self_.dtype().is_integral() {
        return Err(self_.dtype().unsupported("avg_pool2d"));
    }
    output_spec(self_, [rows.count, columns.count])
}

fn output_spec(input: &Tensor, size: [i64; 2]) -> Result<Spec> {
    let leading = &input.shape()[..input.ndim() - 2];
    Ok(Spec::new(&[leading, &size].concat(), input.dtype(), input.device()))
}

#[native_op(avg_pool2d.out)]
fn avg_pool2d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Option<i64>,
    out: &mut Tensor,
) -> Result<()> {
    let [rows, columns] = windows(self_, kernel_size, stride, padding, ceil_mode)?;
    let divisor = |row: &Window, column: &Window| match divisor_override {
        Some(divisor) => divisor,
        None if count_include_pad => row.padded * column.padded,
        None => ((row.end - row.start) * (column.end - column.start)) as i64,
    };
    let rows = buffer::collected((0..rows.count).map(|it| rows.window(it)))?;
    let columns = buffer::collected((0..columns.count).map(|it| columns.window(it)))?;
    means(self_, &rows, &columns, &divisor, out)
}

/// What a window is divided by.
type Divisor<'a> = &'a (dyn Fn(&Window, &Window) -> i64 + Sync);

/// Writes the sum of each window, divided; quotients of integers are rounded
/// towards 0.
fn means(
    input: &Tensor,
    rows: &[Window],
    columns: &[Window],
    divisor: Divisor<'_>,
    out: &mut Tensor,
) -> Result<()> {
    let windows = (rows, columns);
    if out.dtype().is_integral() {
        // A window of an image without elements is divided by 0.
        let quotient = |sum: i64, divisor| if divisor == 0 { 0 } else { sum.wrapping_div(divisor) };
        return divided_sums::<i64, i64>(input, windows, divisor, quotient, out);
    }
    dispatch!(out.dtype(), "avg_pool2d", calculated floating, |T| {
        // A window may be as long as the image: one by one, a sum of `float32` stops at 2^24.
        let quotient = |sum: f64, divisor| (sum / divisor as f64) as T;
        divided_sums::<T, f64>(input, windows, divisor, quotient, out)
    })
}

fn divided_sums<T: Element, W: Element + Number>(
    input: &Tensor,
    (rows, columns): (&[Window], &[Window]),
    divisor: Divisor<'_>,
    quotient: impl Fn(W, i64) -> T + Sync,
    out: &mut Tensor,
) -> Result<()> {
    let [height, width] = image_size(input)?;
    let planes = view::reshape(&input.to_contiguous()?, &[-1, height * width])?;
    let shape = [planes.shape()[0], (rows.len() * columns.len()) as i64];
    let mut result = Tensor::allocate(&shape, T::DTYPE, out.device())?;
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(&planes, &mut result, 1, |plane: ArrayView1<'_, T>, mut target| {
            // Planes of contiguous tensors are slices.
            let (Some(plane), Some(target)) = (plane.as_slice(), target.as_slice_mut()) else {
                return Ok(());
            };
            let windows = rows.iter().flat_map(|row| columns.iter().map(move |it| (row, it)));
            for (slot, (row, column)) in target.iter_mut().zip(windows) {
                let sum: W = window_sum(plane, width as usize, row, column);
                *slot = quotient(sum, divisor(row, column));
            }
            Ok(())
        })?;
    }
    out.copy_from(&view::reshape(&result, out.shape())?)
}

fn window_sum<T: Element, W: Element + Number>(
    plane: &[T],
    width: usize,
    rows: &Window,
    columns: &Window,
) -> W {
    let lines = (rows.start..rows.end).map(|row| &plane[row * width..][columns.start..columns.end]);
    lines.flatten().fold(W::ZERO, |sum, &it| sum.plus(it.cast()))
}

#[native_op(adaptive_avg_pool2d.out, rule)]
fn adaptive_avg_pool2d_rule(self_: &Tensor, output_size: &[i64]) -> Result<Spec> {
    let size = image_size(self_)?;
    let &[rows, columns] = output_size else {
        fail!(Runtime, "output_size must have 2 elements, but got {output_size:?}")
    };
    let wanted = [rows, columns];
    ensure!(
        wanted.iter().all(|&it| it >= 0) && size.iter().all(|&it| it > 0),
        Runtime,
        "elements of output_size must be greater than or equal to 0, and those of the image greater \
         than 0, but got {wanted:?} and {size:?}"
    );
    if !self_.dtype().is_floating() {
        return Err(self_.dtype().unsupported("adaptive_avg_pool2d"));
    }
    output_spec(self_, wanted)
}

#[native_op(adaptive_avg_pool2d.out)]
fn adaptive_avg_pool2d_out(self_: &Tensor, output_size: &[i64], out: &mut Tensor) -> Result<()> {
    if out.numel() == 0 {
        // The sizes may be too large to list windows.
        return Ok(());
    }
    let [height, width] = image_size(self_)?;
    let [rows, columns] = pair(output_size, "output_size")?;
    let divisor = |row: &Window, column: &Window| row.padded * column.padded;
    means(self_, &even_windows(height, rows)?, &even_windows(width, columns)?, &divisor, out)
}

/// So many windows of about the same size that cover a dimension.
fn even_windows(size: i64, count: i64) -> Result<Vec<Window>> {
    let window = |index: i64| {
        let start = index * size / count;
        let end = ((index + 1) * size + count - 1) / count;
        Window { start: start as usize, end: end as usize, padded: end - start }
    };
    buffer::collected((0..count).map(window))
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
    let (kernel, padding) = (pair(kernel_size, "kernel_size")?, pair(padding, "padding")?);
    let stride = if stride.is_empty() { kernel } else { pair(stride, "stride")? };
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
