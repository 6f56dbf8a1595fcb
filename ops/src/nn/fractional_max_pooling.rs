//! Fractional max pooling: as many windows as are asked for, at random distances, and their greatest elements.
//!
//! The window `i` of `n` along a dimension begins at `int((i + u) * alpha) - int(u * alpha)`, where
//! `alpha = (size - kernel) / (n - 1)` and `u` is a random number, of each channel of each image its
//! own; the last window ends where the image does. These are the pseudorandom sequences of Graham,
//! "Fractional Max-Pooling" (arXiv:1412.6071), shifted to begin with 0, as PyTorch has them.

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::geometry::Dims;
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Spec, Tensor, along_dim, buffer, dispatch, ensure, view};

use super::average_pooling::check_gradient;
use super::max_pooling::{maxima_of_plane, maxima_rule, returned, write_maxima};
use super::pooling::{Volume, each, image_size, with_size};
use super::window::Region;

/// What a call says of its windows, for each of the last dimensions of an image.
struct FractionalWindows {
    size: Dims,
    kernel: Dims,
    count: Dims,
}

impl FractionalWindows {
    /// # Errors
    ///
    /// `Runtime` for another number of dimensions, for an image without elements, and for windows
    /// that do not fit it.
    fn over(
        input: &Tensor,
        kernel_size: &[i64],
        output_size: &[i64],
        dims: usize,
    ) -> Result<FractionalWindows> {
        let size = Dims::from_slice(image_size(input, dims)?);
        let kernel = each(kernel_size, dims, "kernel_size")?;
        let count = each(output_size, dims, "output_size")?;
        ensure!(
            input.shape()[1..].iter().all(|&it| it > 0),
            Runtime,
            "Expected input to have non-zero size for non-batch dimensions, but got shape {:?}",
            input.shape()
        );
        for ((&size, &kernel), &count) in size.iter().zip(&kernel).zip(&count) {
            ensure!(
                kernel > 0,
                Runtime,
                "kernel_size should be greater than zero, but got {kernel}"
            );
            ensure!(count >= 0, Runtime, "output_size must not be negative, but got {count}");
            ensure!(
                kernel <= size && count <= size - kernel + 1,
                Runtime,
                "kernel_size + output_size - 1 must be at most the image's size, but {kernel} and \
                 {count} are too large for {size}"
            );
        }
        Ok(FractionalWindows { size, kernel, count })
    }

    /// Where the windows of a plane lie, given its random numbers.
    ///
    /// # Errors
    ///
    /// `Runtime` if one is infinite or NaN, `Memory` if there is not enough.
    fn volume<T: Element + Float>(&self, samples: &ArrayView1<'_, T>) -> Result<Volume> {
        let dims = self.size.len();
        Volume::new(&self.size, |at| {
            // Those of images are in PyTorch's order: the columns' before the rows'.
            let sample = samples[if dims == 2 { 1 - at } else { at }];
            ensure!(
                sample.is_finite(),
                Runtime,
                "argument 'random_samples' must have finite numbers, but has {}",
                sample.cast::<f64>()
            );
            let (kernel, count) = (self.kernel[at], self.count[at]);
            let start = starts(sample, self.size[at] - kernel, count);
            let region = |start| Region { start, end: start + kernel, step: 1, padded: kernel };
            buffer::collected((0..count).map(|it| region(start(it))))
        })
    }
}

/// Where each of so many windows begins, of which the last one has so much in front.
fn starts<T: Element + Float>(sample: T, room: i64, count: i64) -> impl Fn(i64) -> i64 {
    let alpha = T::cast_from(room) / T::cast_from(count - 1);
    let shift = (sample * alpha).cast::<i64>();
    move |window| {
        if window == count - 1 {
            return room;
        }
        let start = ((T::cast_from(window) + sample) * alpha).cast::<i64>();
        // Numbers that are rounded, or negative, may lead out of the image.
        start.saturating_sub(shift).clamp(0, room)
    }
}

#[native_op(fractional_max_pool2d.output, rule)]
fn fractional_max_pool2d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    random_samples: &Tensor,
) -> Result<(Spec, Spec)> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 2)?;
    fractional_maxima_rule("fractional_max_pool2d", self_, &windows, random_samples)
}

#[native_op(fractional_max_pool3d.output, rule)]
fn fractional_max_pool3d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    random_samples: &Tensor,
) -> Result<(Spec, Spec)> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 3)?;
    fractional_maxima_rule("fractional_max_pool3d", self_, &windows, random_samples)
}

fn fractional_maxima_rule(
    what: &str,
    input: &Tensor,
    windows: &FractionalWindows,
    random_samples: &Tensor,
) -> Result<(Spec, Spec)> {
    let dtype = input.dtype();
    if !dtype.is_floating() {
        return Err(dtype.unsupported(what));
    }
    let of = random_samples.dtype();
    ensure!(of == dtype, Runtime, "expected dtype {dtype} for `random_samples` but got dtype {of}");
    let (batch, channels) = batch_and_channels(input, windows);
    let dims = windows.size.len() as i64;
    ensure!(
        matches!(*random_samples.shape(), [n, c, d] if n >= batch && c == channels && d == dims),
        Runtime,
        "argument 'random_samples' must have shape [{batch}, {channels}, {dims}], or more in front, \
         but has {:?}",
        random_samples.shape()
    );
    let device = common_device(&[input, random_samples])?;
    maxima_rule(what, input, Spec::new(&with_size(input, &windows.count), dtype, device))
}

/// How many images there are, and how many planes each has.
fn batch_and_channels(input: &Tensor, windows: &FractionalWindows) -> (i64, i64) {
    match input.shape()[..input.ndim() - windows.size.len()] {
        [batch, channels] => (batch, channels),
        [channels] => (1, channels),
        _ => (0, 0),
    }
}

#[native_op(fractional_max_pool2d.output)]
fn fractional_max_pool2d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    random_samples: &Tensor,
    output: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 2)?;
    fractional_maxima(self_, &windows, random_samples, output, indices)
}

#[native_op(fractional_max_pool3d.output)]
fn fractional_max_pool3d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    random_samples: &Tensor,
    output: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 3)?;
    fractional_maxima(self_, &windows, random_samples, output, indices)
}

/// Writes the greatest element of each window, the last NaN if there is one, and its number in the
/// volume.
fn fractional_maxima(
    input: &Tensor,
    windows: &FractionalWindows,
    random_samples: &Tensor,
    output: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    if output.numel() == 0 {
        return Ok(());
    }
    let (batch, channels) = batch_and_channels(input, windows);
    let dtype = input.dtype().calculated();
    let rows = |tensor: &Tensor, length: i64| {
        let values = tensor.to_dtype(dtype)?.to_contiguous()?;
        view::reshape(&values, &[batch * channels, length])
    };
    let planes = rows(input, windows.size.iter().product())?;
    let samples = view::narrow(random_samples, 0, 0, batch)?;
    let samples = rows(&samples, windows.size.len() as i64)?;
    let shape = [batch * channels, windows.count.iter().product()];
    let mut values = Tensor::allocate(&shape, dtype, output.device())?;
    let mut places = Tensor::allocate(&shape, DType::Int64, output.device())?;
    dispatch!(dtype, "fractional max pooling", calculated floating, |T| {
        // SAFETY: the function uses nothing but its lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            along_dim::binary_pair(
                &planes,
                &samples,
                (&mut values, &mut places),
                1,
                |plane: ArrayView1<'_, T>, samples: ArrayView1<'_, T>, mut values, mut places| {
                    let volume = windows.volume(&samples)?;
                    // Planes of contiguous tensors are slices.
                    if let (Some(plane), Some(values), Some(places)) =
                        (plane.as_slice(), values.as_slice_mut(), places.as_slice_mut())
                    {
                        maxima_of_plane(plane, &volume, volume.run(), (values, places));
                    }
                    Ok(())
                },
            )
        }
    })?;
    write_maxima((&values, &places), output, indices)
}

#[native_op(fractional_max_pool2d_backward.grad_input, rule)]
fn fractional_max_pool2d_backward_rule(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    indices: &Tensor,
) -> Result<Spec> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 2)?;
    returned_rule(grad_output, self_, &windows, indices)
}

#[native_op(fractional_max_pool3d_backward.grad_input, rule)]
fn fractional_max_pool3d_backward_rule(
    grad_output: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    output_size: &[i64],
    indices: &Tensor,
) -> Result<Spec> {
    let windows = FractionalWindows::over(self_, kernel_size, output_size, 3)?;
    returned_rule(grad_output, self_, &windows, indices)
}

fn returned_rule(
    grad_output: &Tensor,
    input: &Tensor,
    windows: &FractionalWindows,
    indices: &Tensor,
) -> Result<Spec> {
    let shape = with_size(input, &windows.count);
    check_gradient(grad_output, input, &shape)?;
    let dtype = indices.dtype();
    ensure!(
        dtype == DType::Int64 && indices.shape() == &shape[..],
        Runtime,
        "argument 'indices' must be int64 numbers of shape {shape:?}, but are {dtype} of shape {:?}",
        indices.shape()
    );
    let device = common_device(&[grad_output, input, indices])?;
    Ok(Spec::new(input.shape(), grad_output.dtype(), device))
}

#[native_op(fractional_max_pool2d_backward.grad_input)]
fn fractional_max_pool2d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    _kernel_size: &[i64],
    _output_size: &[i64],
    indices: &Tensor,
    grad_input: &mut Tensor,
) -> Result<()> {
    grad_input.copy_from(&returned(grad_output, self_, indices, 2)?)
}

#[native_op(fractional_max_pool3d_backward.grad_input)]
fn fractional_max_pool3d_backward_out(
    grad_output: &Tensor,
    self_: &Tensor,
    _kernel_size: &[i64],
    _output_size: &[i64],
    indices: &Tensor,
    grad_input: &mut Tensor,
) -> Result<()> {
    grad_input.copy_from(&returned(grad_output, self_, indices, 3)?)
}
