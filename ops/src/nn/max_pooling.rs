//! Max pooling: the greatest elements of windows of an image, where they are, and what goes back there.

use ndarray::ArrayView1;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::{
    DType, Result, Spec, Tensor, along_dim, dispatch, ensure, multiversion, view,
};

use super::average_pooling::{check_gradient, even_shape, single};
use super::pooling::{
    PoolingWindows, Volume, Window, WindowRun, image_size, output_spec, with_size,
};
use super::window::{calculated, check_pooled};
use crate::ops::{self, TensorOps};

#[native_op(max_pool2d_with_indices.out, rule)]
fn max_pool2d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<(Spec, Spec)> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation, ceil_mode };
    maxima_rule("max_pool2d", self_, output_spec(self_, &windows.over(self_, 2)?))
}

#[native_op(max_pool3d_with_indices.out, rule)]
fn max_pool3d_rule(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<(Spec, Spec)> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation, ceil_mode };
    maxima_rule("max_pool3d", self_, output_spec(self_, &windows.over(self_, 3)?))
}

/// The greatest elements, and where they are.
pub(super) fn maxima_rule(what: &str, input: &Tensor, found: Spec) -> Result<(Spec, Spec)> {
    check_pooled(what, input.dtype())?;
    let places = Spec::new(found.shape(), DType::Int64, input.device());
    Ok((found, places))
}

#[native_op(max_pool2d_with_indices.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn max_pool2d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
    out: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation, ceil_mode };
    maxima(self_, &Volume::of(&windows.over(self_, 2)?)?, out, indices)
}

#[native_op(max_pool3d_with_indices.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn max_pool3d_out(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
    out: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let windows = PoolingWindows { kernel_size, stride, padding, dilation, ceil_mode };
    maxima(self_, &Volume::of(&windows.over(self_, 3)?)?, out, indices)
}

/// Writes the greatest element of each window, and its number in the volume.
fn maxima(input: &Tensor, volume: &Volume, out: &mut Tensor, indices: &mut Tensor) -> Result<()> {
    if out.numel() == 0 {
        return Ok(());
    }
    let (values, places) = maxima_and_places(input, volume, volume.windows())?;
    write_maxima((&values, &places), out, indices)
}

/// The greatest element of each window, the last NaN if there is one, and the number in the volume of
/// so many of them: of all or of none. Those of a volume are a row of a matrix.
fn maxima_and_places(input: &Tensor, volume: &Volume, places: i64) -> Result<(Tensor, Tensor)> {
    ensure!(
        !volume.has_empty(),
        Runtime,
        "a window lies in the padding alone: argument 'dilation' is too large for an image of this \
         size"
    );
    let dtype = calculated(input.dtype());
    let planes = volume.planes(&input.to_dtype(dtype)?)?;
    let rows =
        |length, dtype| Tensor::allocate(&[planes.shape()[0], length], dtype, input.device());
    let (mut values, mut places) = (rows(volume.windows(), dtype)?, rows(places, DType::Int64)?);
    match dtype {
        DType::Int64 => maxima_of::<i64>(&planes, volume, &mut values, &mut places)?,
        _ => dispatch!(dtype, "max pooling", calculated floating, |T| {
            maxima_of::<T>(&planes, volume, &mut values, &mut places)
        })?,
    }
    Ok((values, places))
}

/// Writes matrices with the greatest elements of a volume in a row, and their places.
pub(super) fn write_maxima(
    (values, places): (&Tensor, &Tensor),
    out: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    out.copy_from(&view::reshape(values, out.shape())?)?;
    indices.copy_from(&view::reshape(places, indices.shape())?)
}

fn maxima_of<T: Element + Ordered>(
    planes: &Tensor,
    volume: &Volume,
    values: &mut Tensor,
    places: &mut Tensor,
) -> Result<()> {
    let run = volume.run();
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary_pair(
            planes,
            (values, places),
            1,
            |plane: ArrayView1<'_, T>, mut values, mut places| {
                // Planes of contiguous tensors are slices.
                if let (Some(plane), Some(values), Some(places)) =
                    (plane.as_slice(), values.as_slice_mut(), places.as_slice_mut())
                {
                    maxima_of_plane(plane, volume, run, (values, places));
                }
                Ok(())
            },
        )
    }
}

/// The greatest elements of all windows, of which a run is done at once, and their places if there is
/// room for them.
pub(super) fn maxima_of_plane<T: Element + Ordered>(
    plane: &[T],
    volume: &Volume,
    run: WindowRun,
    (values, places): (&mut [T], &mut [i64]),
) {
    let columns = volume.columns();
    volume.for_rows(|at, layer, row| {
        for column in run.others(columns.len()) {
            let found = greatest(plane, volume, [layer, row, &columns[column]]);
            values[at + column] = found.0;
            if let Some(place) = places.get_mut(at + column) {
                *place = found.1 as i64;
            }
        }
        if run.count > 0 {
            let range = at + run.first..at + run.first + run.count;
            let places = places.get_mut(range.clone()).unwrap_or_default();
            let found = (&mut values[range], places);
            greatest_of_run(plane, volume, [layer, row, &columns[run.first]], run, found);
        }
    });
}

/// The greatest elements of neighbouring windows, and their places: one tap after the other, each of all
/// windows.
fn greatest_of_run<T: Element + Ordered>(
    plane: &[T],
    volume: &Volume,
    window: Window<'_>,
    run: WindowRun,
    (values, places): (&mut [T], &mut [i64]),
) {
    let mut is_first = true;
    volume.for_lines(window, |line| {
        for element in run.elements(line) {
            take_greater(&plane[element..], element, run.stride, is_first, values, places);
            is_first = false;
        }
    });
}

multiversion! {
    /// Takes the elements at such a distance, and their places if there is room, where they are greater
    /// than those that are there, or no numbers; all of them if nothing is there yet.
    fn take_greater<T>(
        elements: &[T],
        first: usize,
        stride: usize,
        is_first: bool,
        values: &mut [T],
        places: &mut [i64],
    )
    where
        [T: Element + Ordered]
    {
        // Where the distance is known, several are compared at once.
        match stride {
            1 => take_greater_at(elements, first, 1, is_first, values, places),
            2 => take_greater_at(elements, first, 2, is_first, values, places),
            _ => take_greater_at(elements, first, stride, is_first, values, places),
        }
    }
}

#[inline(always)]
fn take_greater_at<T: Element + Ordered>(
    elements: &[T],
    first: usize,
    stride: usize,
    is_first: bool,
    values: &mut [T],
    places: &mut [i64],
) {
    let count = values.len();
    let elements = &elements[..stride * count - (stride - 1)];
    if places.is_empty() {
        for at in 0..count {
            let value = elements[stride * at];
            let is_taken = is_first | (value > values[at]) | T::is_nan(value);
            values[at] = if is_taken { value } else { values[at] };
        }
        return;
    }
    let places = &mut places[..count];
    for at in 0..count {
        let value = elements[stride * at];
        let is_taken = is_first | (value > values[at]) | T::is_nan(value);
        values[at] = if is_taken { value } else { values[at] };
        places[at] = if is_taken { (first + stride * at) as i64 } else { places[at] };
    }
}

/// The greatest element of a window, and its place.
#[inline]
fn greatest<T: Element + Ordered>(plane: &[T], volume: &Volume, window: Window<'_>) -> (T, usize) {
    let columns = window[2];
    let (start, end) = (columns.start as usize, columns.end as usize);
    let mut best = (T::LOWEST, usize::MAX);
    volume.for_lines(window, |line| {
        for column in (start..end).step_by(columns.step as usize) {
            let value = plane[line + column];
            if value > best.0 || T::is_nan(value) || best.1 == usize::MAX {
                best = (value, line + column);
            }
        }
    });
    best
}

#[native_op(max_pool1d_with_indices)]
fn max_pool1d_with_indices(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<(Tensor, Tensor)> {
    image_size(self_, 1)?;
    let kernel = single(kernel_size, "kernel_size")?;
    let stride = if stride.is_empty() { kernel } else { single(stride, "stride")? };
    let (values, indices) = ops::max_pool2d_with_indices::Default_::call(
        &self_.unsqueeze(-2)?,
        &[1, kernel],
        &[1, stride],
        &[0, single(padding, "padding")?],
        &[1, single(dilation, "dilation")?],
        ceil_mode,
    )?;
    Ok((ops::squeeze::dim::call(&values, -2)?, ops::squeeze::dim::call(&indices, -2)?))
}

#[native_op(max_pool1d)]
fn max_pool1d(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<Tensor> {
    image_size(self_, 1)?;
    let stride = if stride.is_empty() { kernel_size } else { stride };
    single(kernel_size, "kernel_size")?;
    single(stride, "stride")?;
    single(padding, "padding")?;
    single(dilation, "dilation")?;
    let windows = PoolingWindows { kernel_size, stride, padding, dilation, ceil_mode };
    let windows = windows.over(self_, 1)?;
    let (found, _) = maxima_rule("max_pool2d", self_, output_spec(self_, &windows))?;
    if found.shape().contains(&0) || self_.device().is_meta() {
        return found.allocate();
    }
    let (values, _) = maxima_and_places(self_, &Volume::of(&windows)?, 0)?;
    view::reshape(&values, found.shape())?.to_dtype(found.dtype())
}

/// Each element of the sequence gets the gradients of the windows whose greatest it is.
#[gradient_helper]
pub(crate) fn max_pool1d_backward(
    grad: &Tensor,
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<Tensor> {
    let (_, indices) = ops::max_pool1d_with_indices::Default_::call(
        self_,
        kernel_size,
        stride,
        padding,
        dilation,
        ceil_mode,
    )?;
    returned(grad, self_, &indices, 1)
}

#[native_op(max_pool2d)]
fn max_pool2d(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<Tensor> {
    let found = ops::max_pool2d_with_indices::Default_::call(
        self_,
        kernel_size,
        stride,
        padding,
        dilation,
        ceil_mode,
    );
    Ok(found?.0)
}

#[native_op(max_pool3d)]
fn max_pool3d(
    self_: &Tensor,
    kernel_size: &[i64],
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    ceil_mode: bool,
) -> Result<Tensor> {
    let found = ops::max_pool3d_with_indices::Default_::call(
        self_,
        kernel_size,
        stride,
        padding,
        dilation,
        ceil_mode,
    );
    Ok(found?.0)
}

/// Each element of the image gets the gradients of the windows whose greatest it is.
pub(super) fn returned(
    grad: &Tensor,
    input: &Tensor,
    indices: &Tensor,
    dims: usize,
) -> Result<Tensor> {
    image_size(grad, dims)?;
    check_gradient(grad, input, indices.shape())?;
    let zeros = ops::new_zeros::Default_::call(grad, input.shape(), None, None, None, None)?;
    if input.numel() == 0 || grad.numel() == 0 {
        return Ok(zeros);
    }
    let flat = |it: &Tensor| ops::flatten::using_ints::call(it, -(dims as i64), -1);
    flat(&zeros)?.scatter_add(-1, &flat(indices)?, &flat(grad)?)?.reshape(input.shape())
}

/// Of what went back to the places of the greatest elements: each window has what is there now.
#[gradient_helper]
pub(crate) fn max_pool_double_backward(
    grad: &Tensor,
    indices: &Tensor,
    dims: i64,
) -> Result<Tensor> {
    let flat = |it: &Tensor| ops::flatten::using_ints::call(it, -dims, -1);
    flat(grad)?.gather(-1, &flat(indices)?)?.reshape(indices.shape())
}

#[native_op(adaptive_max_pool2d.out, rule)]
fn adaptive_max_pool2d_rule(self_: &Tensor, output_size: &[i64]) -> Result<(Spec, Spec)> {
    let shape = even_shape(self_, output_size, 2)?;
    maxima_rule("adaptive_max_pool2d", self_, Spec::new(&shape, self_.dtype(), self_.device()))
}

#[native_op(adaptive_max_pool3d.out, rule)]
fn adaptive_max_pool3d_rule(self_: &Tensor, output_size: &[i64]) -> Result<(Spec, Spec)> {
    let shape = even_shape(self_, output_size, 3)?;
    maxima_rule("adaptive_max_pool3d", self_, Spec::new(&shape, self_.dtype(), self_.device()))
}

#[native_op(adaptive_max_pool2d.out)]
fn adaptive_max_pool2d_out(
    self_: &Tensor,
    output_size: &[i64],
    out: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let volume = Volume::even(self_, output_size, 2)?;
    maxima(self_, &volume, out, indices)
}

#[native_op(adaptive_max_pool3d.out)]
fn adaptive_max_pool3d_out(
    self_: &Tensor,
    output_size: &[i64],
    out: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let volume = Volume::even(self_, output_size, 3)?;
    maxima(self_, &volume, out, indices)
}

#[native_op(adaptive_max_pool1d)]
fn adaptive_max_pool1d(self_: &Tensor, output_size: &[i64]) -> Result<(Tensor, Tensor)> {
    image_size(self_, 1)?;
    let size = [1, single(output_size, "output_size")?];
    let (values, indices) = ops::adaptive_max_pool2d::Default_::call(&self_.unsqueeze(-2)?, &size)?;
    Ok((ops::squeeze::dim::call(&values, -2)?, ops::squeeze::dim::call(&indices, -2)?))
}

#[native_op(adaptive_max_pool2d_backward)]
fn adaptive_max_pool2d_backward(
    grad_output: &Tensor,
    self_: &Tensor,
    indices: &Tensor,
) -> Result<Tensor> {
    image_size(self_, 2)?;
    returned(grad_output, self_, indices, 2)
}

#[native_op(adaptive_max_pool3d_backward)]
fn adaptive_max_pool3d_backward(
    grad_output: &Tensor,
    self_: &Tensor,
    indices: &Tensor,
) -> Result<Tensor> {
    image_size(self_, 3)?;
    returned(grad_output, self_, indices, 3)
}

#[native_op(max_unpool2d)]
fn max_unpool2d(self_: &Tensor, indices: &Tensor, output_size: &[i64]) -> Result<Tensor> {
    image_size(self_, 2)?;
    unpooled(self_, indices, output_size, 2)
}

#[native_op(max_unpool3d)]
fn max_unpool3d(
    self_: &Tensor,
    indices: &Tensor,
    output_size: &[i64],
    stride: &[i64],
    padding: &[i64],
) -> Result<Tensor> {
    image_size(self_, 3)?;
    for (list, name) in [(stride, "stride"), (padding, "padding")] {
        ensure!(list.len() == 3, Runtime, "{name} must have three elements, but got {list:?}");
    }
    ensure!(
        stride.iter().all(|it| *it > 0),
        Runtime,
        "strides should be greater than zero, but got stride: {stride:?}"
    );
    unpooled(self_, indices, output_size, 3)
}

/// Zeros, and the values at the places where max pooling found them.
fn unpooled(values: &Tensor, indices: &Tensor, output_size: &[i64], dims: usize) -> Result<Tensor> {
    let dtype = indices.dtype();
    ensure!(
        dtype == DType::Int64,
        Runtime,
        "elements in indices should be type int64 but got: {dtype}"
    );
    ensure!(
        output_size.len() == dims,
        Runtime,
        "There should be exactly {dims} elements in output_size, but got {}",
        output_size.len()
    );
    ensure!(
        values.shape() == indices.shape(),
        Runtime,
        "Expected shape of indices to be same as that of the input tensor ({:?}) but got indices \
         tensor with shape: {:?}",
        values.shape(),
        indices.shape()
    );
    let shape = with_size(values, output_size);
    let zeros = ops::new_zeros::Default_::call(values, &shape, None, None, None, None)?;
    if values.numel() == 0 {
        return Ok(zeros);
    }
    let flat = |it: &Tensor| ops::flatten::using_ints::call(it, -(dims as i64), -1);
    flat(&zeros)?.scatter(-1, &flat(indices)?, &flat(values)?)?.reshape(&shape)
}
