//! Average pooling: means of windows of an image, and their gradients.

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Number};
use opwright_runtime::geometry::Dims;
use opwright_runtime::{
    DType, Error, Result, Spec, Tensor, along_dim, buffer, dispatch, ensure, multiversion, view,
};

use super::pooling::{PoolingWindows, Volume, Window, image_size, output_spec, with_size};
use super::window::check_pooled;
use crate::ops::{self, TensorOps};

/// What the sums of windows are divided by.
#[derive(Clone, Copy)]
struct Divisor {
    count_include_pad: bool,
    instead: Option<i64>,
}

impl Divisor {
    fn of(self, window: Window<'_>) -> i64 {
        match self.instead {
            Some(divisor) => divisor,
            None if self.count_include_pad => window.iter().map(|it| it.padded).product(),
            None => window.iter().map(|it| it.len()).product(),
        }
    }
}

/// Of windows that lie within the image.
const ALL: Divisor = Divisor { count_include_pad: true, instead: None };

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
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    means_rule("avg_pool2d", self_, 2, windows, divisor_override)
}

#[native_op(avg_pool3d.out, rule)]
fn avg_pool3d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    _count_include_pad: bool,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    means_rule("avg_pool3d", self_, 3, windows, divisor_override)
}

fn means_rule(
    what: &str,
    input: &Tensor,
    dims: usize,
    windows: PoolingWindows<'_>,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    ensure!(divisor_override != Some(0), Runtime, "divisor must be not zero");
    let windows = windows.over(input, dims)?;
    check_pooled(what, input.dtype())?;
    Ok(output_spec(input, &windows))
}

#[native_op(avg_pool2d.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
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
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    let divisor = Divisor { count_include_pad, instead: divisor_override };
    means(self_, &Volume::of(&windows.over(self_, 2)?)?, divisor, out)
}

#[native_op(avg_pool3d.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn avg_pool3d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Option<i64>,
    out: &mut Tensor,
) -> Result<()> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    let divisor = Divisor { count_include_pad, instead: divisor_override };
    means(self_, &Volume::of(&windows.over(self_, 3)?)?, divisor, out)
}

/// Writes the sum of each window, divided; quotients of integers are rounded towards 0.
fn means(input: &Tensor, volume: &Volume, divisor: Divisor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        // A window of an image without elements is divided by 0.
        let quotient = |sum: i64, divisor| if divisor == 0 { 0 } else { sum.wrapping_div(divisor) };
        let input = input.to_dtype(DType::Int64)?;
        return divided_sums::<i64, i64>(&input, volume, divisor, quotient, out);
    }
    let input = input.to_dtype(out.dtype().calculated())?;
    dispatch!(out.dtype(), "average pooling", calculated floating, |T| {
        // A window may be as long as the image: one by one, a sum of `float32` stops at 2^24.
        let quotient = |sum: f64, divisor| (sum / divisor as f64) as T;
        divided_sums::<T, f64>(&input, volume, divisor, quotient, out)
    })
}

fn divided_sums<T: Element, W: Element + Number>(
    input: &Tensor,
    volume: &Volume,
    divisor: Divisor,
    quotient: impl Fn(W, i64) -> T + Sync,
    out: &mut Tensor,
) -> Result<()> {
    let planes = volume.planes(input)?;
    let shape = [planes.shape()[0], volume.windows()];
    let mut result = Tensor::allocate(&shape, T::DTYPE, out.device())?;
    let (columns, run) = (volume.columns(), volume.run());
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary(&planes, &mut result, 1, |plane: ArrayView1<'_, T>, mut target| {
            // Planes of contiguous tensors are slices.
            let (Some(plane), Some(target)) = (plane.as_slice(), target.as_slice_mut()) else {
                return Ok(());
            };
            let mut sums = buffer::filled(run.count, W::ZERO)?;
            volume.for_rows(|at, layer, row| {
                for column in run.others(columns.len()) {
                    let window = [layer, row, &columns[column]];
                    let range = window[2].start as usize..window[2].end as usize;
                    let mut sum = W::ZERO;
                    volume.for_lines(window, |line| {
                        sum = sum.plus(sum_of(&plane[line..][range.clone()]));
                    });
                    target[at + column] = quotient(sum, divisor.of(window));
                }
                if run.count == 0 {
                    return;
                }
                sums.fill(W::ZERO);
                volume.for_lines([layer, row, &columns[run.first]], |line| {
                    for element in run.elements(line) {
                        add_elements(&mut sums, &plane[element..], run.stride);
                    }
                });
                for (column, &sum) in (run.first..).zip(&sums) {
                    target[at + column] = quotient(sum, divisor.of([layer, row, &columns[column]]));
                }
            });
            Ok(())
        })?;
    }
    out.copy_from(&view::reshape(&result, out.shape())?)
}

multiversion! {
    /// The sum of a slice.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn sum_of<T, W>(elements: &[T]) -> W
    where
        [T: Element, W: Element + Number]
    {
        let mut parts = [W::ZERO; 8];
        let (blocks, rest) = elements.as_chunks::<8>();
        for block in blocks {
            for at in 0..8 {
                parts[at] = parts[at].plus(block[at].cast());
            }
        }
        for (part, &it) in parts.iter_mut().zip(rest) {
            *part = part.plus(it.cast());
        }
        let mut sum = W::ZERO;
        for part in parts {
            sum = sum.plus(part);
        }
        sum
    }

    /// Adds to each sum an element, which lie so far apart.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn add_elements<T, W>(sums: &mut [W], elements: &[T], stride: usize)
    where
        [T: Element, W: Element + Number]
    {
        if stride == 1 {
            for (sum, &it) in sums.iter_mut().zip(elements) {
                *sum = sum.plus(it.cast());
            }
        } else if stride == 2 {
            let elements = &elements[..(2 * sums.len()).saturating_sub(1)];
            for at in 0..sums.len() {
                sums[at] = sums[at].plus(elements[2 * at].cast());
            }
        } else {
            for (sum, &it) in sums.iter_mut().zip(elements.iter().step_by(stride)) {
                *sum = sum.plus(it.cast());
            }
        }
    }

    /// Adds to elements that lie so far apart.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn add_shares<T>(elements: &mut [T], shares: &[T], stride: usize)
    where
        [T: Element + Number]
    {
        if stride == 1 {
            for (slot, &it) in elements.iter_mut().zip(shares) {
                *slot = slot.plus(it);
            }
        } else if stride == 2 {
            let elements = &mut elements[..(2 * shares.len()).saturating_sub(1)];
            for at in 0..shares.len() {
                elements[2 * at] = elements[2 * at].plus(shares[at]);
            }
        } else {
            for (slot, &it) in elements.iter_mut().step_by(stride).zip(shares) {
                *slot = slot.plus(it);
            }
        }
    }
}

#[native_op(avg_pool1d)]
fn avg_pool1d(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    count_include_pad: bool,
) -> Result<Tensor> {
    image_size(self_, 1)?;
    let kernel = [1, single(kernel_size, "kernel_size")?];
    let stride = [1, if stride.is_empty() { kernel[1] } else { single(stride, "stride")? }];
    let padding = [0, single(padding, "padding")?];
    let image = self_.unsqueeze(-2)?;
    let means = ops::avg_pool2d::Default_::call(
        &image,
        &kernel,
        &stride,
        &padding,
        ceil_mode,
        count_include_pad,
        None,
    )?;
    ops::squeeze::dim::call(&means, -2)
}

/// The only number of a list.
pub(super) fn single(list: &[i64], name: &str) -> Result<i64> {
    match *list {
        [one] => Ok(one),
        _ => Err(Error::runtime(format_args!(
            "{name} must be a single int, or a tuple of one int, not {list:?}"
        ))),
    }
}

#[native_op(avg_pool2d_backward.grad_input, rule)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn avg_pool2d_backward_rule(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    _count_include_pad: bool,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    spread_rule("avg_pool2d", grad_output, self_, 2, windows, divisor_override)
}

#[native_op(avg_pool3d_backward.grad_input, rule)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn avg_pool3d_backward_rule(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    _count_include_pad: bool,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    spread_rule("avg_pool3d", grad_output, self_, 3, windows, divisor_override)
}

fn spread_rule(
    what: &str,
    grad_output: &Tensor,
    input: &Tensor,
    dims: usize,
    windows: PoolingWindows<'_>,
    divisor_override: Option<i64>,
) -> Result<Spec> {
    let found = means_rule(what, input, dims, windows, divisor_override)?;
    check_gradient(grad_output, input, found.shape())?;
    Ok(Spec::new(input.shape(), grad_output.dtype(), grad_output.device()))
}

/// Fails unless a gradient is one of a result of this shape.
pub(super) fn check_gradient(grad_output: &Tensor, input: &Tensor, shape: &[i64]) -> Result<()> {
    ensure!(
        grad_output.shape() == shape,
        Runtime,
        "argument 'grad_output' must have the shape of the result, {shape:?}, but has {:?}",
        grad_output.shape()
    );
    let (of, dtype) = (grad_output.dtype(), input.dtype());
    ensure!(of == dtype, Runtime, "expected dtype {dtype} for `grad_output` but got dtype {of}");
    if !of.is_floating() {
        return Err(of.unsupported("the gradient of pooling"));
    }
    Ok(())
}

#[native_op(avg_pool2d_backward.grad_input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn avg_pool2d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Option<i64>,
    grad_input: &mut Tensor,
) -> Result<()> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    let divisor = Divisor { count_include_pad, instead: divisor_override };
    spread(grad_output, &Volume::of(&windows.over(self_, 2)?)?, divisor, grad_input)
}

#[native_op(avg_pool3d_backward.grad_input)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn avg_pool3d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Option<i64>,
    grad_input: &mut Tensor,
) -> Result<()> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation: &[1], ceil_mode };
    let divisor = Divisor { count_include_pad, instead: divisor_override };
    spread(grad_output, &Volume::of(&windows.over(self_, 3)?)?, divisor, grad_input)
}

/// Writes to each element the sum of what it gets of the windows that it is in: of each its gradient
/// over its divisor.
fn spread(grad: &Tensor, volume: &Volume, divisor: Divisor, out: &mut Tensor) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    if grad.numel() == 0 {
        return out.copy_from(&Tensor::zeroed(out.shape(), out.dtype(), out.device())?);
    }
    let dtype = out.dtype().calculated();
    let grad = view::reshape(&grad.to_dtype(dtype)?.to_contiguous()?, &[-1, volume.windows()])?;
    let shape = [grad.shape()[0], volume.elements()];
    let mut result = Tensor::allocate(&shape, dtype, out.device())?;
    let (columns, run) = (volume.columns(), volume.run());
    dispatch!(dtype, "average pooling", calculated floating, |T| {
        // SAFETY: as in `divided_sums`.
        unsafe {
            along_dim::unary(&grad, &mut result, 1, |grad: ArrayView1<'_, T>, mut target| {
                let Some(target) = target.as_slice_mut() else { return Ok(()) };
                target.fill(0.0);
                let mut shares = buffer::filled(run.count, 0.0 as T)?;
                volume.for_rows(|at, layer, row| {
                    for column in run.others(columns.len()) {
                        let window = [layer, row, &columns[column]];
                        let share = grad[at + column] / divisor.of(window) as T;
                        let range = window[2].start as usize..window[2].end as usize;
                        volume.for_lines(window, |line| {
                            target[line..][range.clone()].iter_mut().for_each(|it| *it += share);
                        });
                    }
                    if run.count == 0 {
                        return;
                    }
                    for (share, column) in shares.iter_mut().zip(run.first..) {
                        let divisor = divisor.of([layer, row, &columns[column]]);
                        *share = grad[at + column] / divisor as T;
                    }
                    volume.for_lines([layer, row, &columns[run.first]], |line| {
                        for element in run.elements(line) {
                            add_shares(&mut target[element..], &shares, run.stride);
                        }
                    });
                });
                Ok(())
            })
        }
    })?;
    out.copy_from(&view::reshape(&result, out.shape())?)
}

#[native_op(adaptive_avg_pool2d.out, rule)]
fn adaptive_avg_pool2d_rule(self_: &Tensor, output_size: &[i64]) -> Result<Spec> {
    let shape = even_shape(self_, output_size, 2)?;
    even_means_rule("adaptive_avg_pool2d", self_, &shape)
}

#[native_op(adaptive_avg_pool3d.out, rule)]
fn adaptive_avg_pool3d_rule(self_: &Tensor, output_size: &[i64]) -> Result<Spec> {
    let shape = even_shape(self_, output_size, 3)?;
    even_means_rule("adaptive_avg_pool3d", self_, &shape)
}

fn even_means_rule(what: &str, input: &Tensor, shape: &[i64]) -> Result<Spec> {
    if !input.dtype().is_floating() {
        return Err(input.dtype().unsupported(what));
    }
    Ok(Spec::new(shape, input.dtype(), input.device()))
}

/// The shape of a result with so many windows along each of the last dimensions.
pub(super) fn even_shape(input: &Tensor, output_size: &[i64], dims: usize) -> Result<Dims> {
    let size = image_size(input, dims)?;
    ensure!(
        output_size.len() == dims,
        Runtime,
        "output_size must have {dims} elements, but got {output_size:?}"
    );
    ensure!(
        output_size.iter().all(|&it| it >= 0) && size.iter().all(|&it| it > 0),
        Runtime,
        "elements of output_size must be greater than or equal to 0, and those of the image greater \
         than 0, but got {output_size:?} and {size:?}"
    );
    Ok(with_size(input, output_size))
}

#[native_op(adaptive_avg_pool2d.out)]
fn adaptive_avg_pool2d_out(self_: &Tensor, output_size: &[i64], out: &mut Tensor) -> Result<()> {
    let volume = Volume::even(self_, output_size, 2)?;
    means(self_, &volume, ALL, out)
}

#[native_op(adaptive_avg_pool3d.out)]
fn adaptive_avg_pool3d_out(self_: &Tensor, output_size: &[i64], out: &mut Tensor) -> Result<()> {
    let volume = Volume::even(self_, output_size, 3)?;
    means(self_, &volume, ALL, out)
}

#[native_op(adaptive_avg_pool1d)]
fn adaptive_avg_pool1d(self_: &Tensor, output_size: &[i64]) -> Result<Tensor> {
    image_size(self_, 1)?;
    let size = [1, single(output_size, "output_size")?];
    let means = ops::adaptive_avg_pool2d::Default_::call(&self_.unsqueeze(-2)?, &size)?;
    ops::squeeze::dim::call(&means, -2)
}

#[native_op(_adaptive_avg_pool2d_backward.out, rule)]
fn adaptive_avg_pool2d_backward_rule(grad_output: &Tensor, self_: &Tensor) -> Result<Spec> {
    let counts = image_size(grad_output, 2)?;
    even_spread_rule(grad_output, self_, counts)
}

#[native_op(_adaptive_avg_pool3d_backward.out, rule)]
fn adaptive_avg_pool3d_backward_rule(grad_output: &Tensor, self_: &Tensor) -> Result<Spec> {
    let counts = image_size(grad_output, 3)?;
    even_spread_rule(grad_output, self_, counts)
}

fn even_spread_rule(grad_output: &Tensor, input: &Tensor, counts: &[i64]) -> Result<Spec> {
    image_size(input, counts.len())?;
    check_gradient(grad_output, input, &with_size(input, counts))?;
    Ok(Spec::new(input.shape(), grad_output.dtype(), grad_output.device()))
}

#[native_op(_adaptive_avg_pool2d_backward.out)]
fn adaptive_avg_pool2d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let volume = Volume::even(self_, image_size(grad_output, 2)?, 2)?;
    spread(grad_output, &volume, ALL, out)
}

#[native_op(_adaptive_avg_pool3d_backward.out)]
fn adaptive_avg_pool3d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let volume = Volume::even(self_, image_size(grad_output, 3)?, 3)?;
    spread(grad_output, &volume, ALL, out)
}
