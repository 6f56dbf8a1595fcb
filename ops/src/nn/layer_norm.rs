//! Rows brought to mean 0 and variance 1.

use ndarray::ArrayView1;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::is_recording;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::geometry::element_count;
use opwright_runtime::parallel::Pointer;
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, Result, Scalar, Tensor, along_dim, buffer, dispatch, ensure, fail, multiversion,
    parallel, view,
};

use super::along_dim::total;
use crate::gradient::{check_saved, to, wanted, widened};
use crate::ops::{self, TensorOps};

#[native_op(layer_norm)]
fn layer_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
    _cudnn_enable: bool,
) -> Result<Tensor> {
    let call = crate::ops::native_layer_norm::Default_::call;
    Ok(call(input, normalized_shape, weight, bias, eps)?.0)
}

#[native_op(native_layer_norm)]
fn native_layer_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    check(input, normalized_shape, weight, bias)?;
    let leading = input.ndim() - normalized_shape.len();
    let mut stats_shape = input.shape().to_vec();
    stats_shape[leading..].fill(1);
    let dtype = input.dtype();
    if input.device().is_meta() {
        let stats = || Tensor::allocate(&stats_shape, dtype, input.device());
        return Ok((Tensor::allocate(input.shape(), dtype, input.device())?, stats()?, stats()?));
    }
    let rows =
        [element_count(&input.shape()[..leading])? as i64, element_count(normalized_shape)? as i64];
    let input = input.to_contiguous()?;
    let (out, stats) = dispatch!(dtype, "layer_norm", calculated floating, |T| {
        normalize::<T>(&view::reshape(&input, &rows)?, weight, bias, eps)
    })?;
    let column = |at: i64| {
        view::reshape(&view::select(&stats, 1, at)?.copy()?, &stats_shape)?.to_dtype(dtype)
    };
    Ok((view::reshape(&out, input.shape())?.to_dtype(dtype)?, column(0)?, column(1)?))
}

fn check(
    input: &Tensor,
    shape: &[i64],
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
) -> Result<()> {
    ensure!(
        !shape.is_empty(),
        Runtime,
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one \
         element, but got normalized_shape = {shape:?}"
    );
    ensure!(
        input.shape().ends_with(shape),
        Runtime,
        "Given normalized_shape={shape:?}, expected input with shape [*, {}, but got input of \
         size{:?}",
        format!("{shape:?}").trim_start_matches('['),
        input.shape()
    );
    for (name, param) in [("weight", weight), ("bias", bias)] {
        let Some(param) = param else { continue };
        common_device(&[input, param])?;
        ensure!(
            param.shape() == shape,
            Runtime,
            "Expected {name} to be of same shape as normalized_shape, but got {name} of shape \
             {:?} and normalized_shape = {shape:?}",
            param.shape()
        );
        ensure!(
            param.dtype().is_floating(),
            Runtime,
            "Expected {name} to be floating, but got {}",
            param.dtype()
        );
    }
    Ok(())
}

/// The rows of a matrix normalized, and for each its mean and the inverse of its
/// standard deviation.
fn normalize<T: Element + Float>(
    rows: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Tensor, Tensor)> {
    let device = rows.device();
    let mut out = Tensor::allocate(rows.shape(), T::DTYPE, device)?;
    let mut stats = Tensor::allocate(&[rows.shape()[0], 2], T::DTYPE, device)?;
    let weight = weight.map(|it| it.to_vec::<T>()).transpose()?;
    let bias = bias.map(|it| it.to_vec::<T>()).transpose()?;
    let eps = T::cast_from(eps);
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        along_dim::unary_pair(rows, (&mut out, &mut stats), 1, |row, mut out, mut stats| {
            // Rows of a contiguous matrix are slices.
            let (Some(row), Some(out)) = (row.as_slice(), out.as_slice_mut()) else {
                return Ok(());
            };
            let (mean, scale) = normalized(row, out, weight.as_deref(), bias.as_deref(), eps);
            (stats[0], stats[1]) = (mean, scale);
            Ok(())
        })?
    };
    Ok((out, stats))
}

/// Groups of channels normalized, as [`normalize`] does it with rows; then each channel times its number
/// of `weight`, plus that of `bias`. Groups lie in the last dimension, those of a batch in the one before.
pub(super) fn normalize_groups<T: Element + Float>(
    groups: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
) -> Result<(Tensor, Tensor)> {
    let (shape, device) = (groups.shape(), groups.device());
    let mut out = Tensor::allocate(shape, T::DTYPE, device)?;
    let mut stats = Tensor::allocate(&[shape[0], shape[1], 2], T::DTYPE, device)?;
    let factors = channel_factors::<T>(weight, bias, shape[1])?;
    let factors = view::expand(&factors, &[shape[0], shape[1], factors.shape()[1]])?;
    let eps = T::cast_from(eps);
    // SAFETY: as in `normalize`.
    unsafe {
        along_dim::binary_pair(
            groups,
            &factors,
            (&mut out, &mut stats),
            2,
            |row: ArrayView1<'_, T>, factors: ArrayView1<'_, T>, mut out, mut stats| {
                // Rows of contiguous tensors are slices.
                let (Some(row), Some(out), Some(factors)) =
                    (row.as_slice(), out.as_slice_mut(), factors.as_slice())
                else {
                    return Ok(());
                };
                (stats[0], stats[1]) = normalized(row, out, None, None, eps);
                let (weight, bias) = factors.split_at(factors.len() / 2);
                let size = (out.len() / weight.len().max(1)).max(1);
                let channels = out.chunks_exact_mut(size).zip(weight.iter().zip(bias));
                for (channel, (&factor, &offset)) in channels {
                    channel.iter_mut().for_each(|slot| *slot = *slot * factor + offset);
                }
                Ok(())
            },
        )?
    };
    Ok((out, stats))
}

/// For each group the weights of its channels and their biases in a row, which is empty if there are
/// neither.
fn channel_factors<T: Element + Float>(
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    groups: i64,
) -> Result<Tensor> {
    let Some(channels) = weight.or(bias).map(Tensor::numel) else {
        return Tensor::from_slice::<T>(&[groups, 0], &[]);
    };
    let numbers = |it: Option<&Tensor>, instead: T| match it {
        Some(it) => it.to_vec::<T>(),
        None => buffer::filled(channels, instead),
    };
    let (weight, bias) = (numbers(weight, T::ONE)?, numbers(bias, T::ZERO)?);
    let size = channels / groups as usize;
    let mut factors = buffer::with_capacity(2 * channels)?;
    for (weight, bias) in weight.chunks(size.max(1)).zip(bias.chunks(size.max(1))) {
        factors.extend_from_slice(weight);
        factors.extend_from_slice(bias);
    }
    Tensor::from_vec(&[groups, 2 * size as i64], factors)
}

multiversion! {
    /// Writes a row of mean 0 and variance 1, times `weight`, plus `bias`; gives the mean that it
    /// had, and the inverse of its standard deviation.
    fn normalized<T>(
        row: &[T],
        out: &mut [T],
        weight: Option<&[T]>,
        bias: Option<&[T]>,
        eps: T,
    ) -> (T, T)
    where
        [T: Element + Float]
    {
        // Distances from the first number are exact where all are alike or far from zero, where
        // the mean itself is rounded; one that is infinite would be nobody's distance.
        let first = row.first().copied().filter(|it| it.is_finite()).unwrap_or(T::ZERO);
        let (mean, variance) = moments(row, first);
        let is_held = variance.is_finite() && variance + eps >= least_variance::<T>();
        let scaled = if is_held { None } else { normalized_by_scale(row, out, eps) };
        // No closure: it would be the same for all sets of instructions.
        let (mean, scale) = match scaled {
            Some(scaled) => scaled,
            None => {
                let scale = (variance + eps).sqrt().recip();
                for (slot, &x) in out.iter_mut().zip(row) {
                    *slot = (x - first - mean) * scale;
                }
                (first + mean, scale)
            }
        };
        match (weight, bias) {
            (Some(weight), Some(bias)) => {
                for (slot, (&factor, &offset)) in out.iter_mut().zip(weight.iter().zip(bias)) {
                    *slot = *slot * factor + offset;
                }
            }
            (Some(weight), None) => {
                out.iter_mut().zip(weight).for_each(|(slot, &it)| *slot = *slot * it);
            }
            (None, Some(bias)) => out.iter_mut().zip(bias).for_each(|(slot, &it)| *slot = *slot + it),
            (None, None) => {}
        }
        (mean, scale)
    }
}

/// The mean of the distances of a row from a number, and their variance.
#[inline(always)]
fn moments<T: Element + Float>(row: &[T], first: T) -> (T, T) {
    let count = T::cast_from(row.len() as f64);
    let mean = total(row, |x| x - first) / count;
    (mean, total(row, |x| (x - first - mean) * (x - first - mean)) / count)
}

/// The squares of which a smaller variance is made have lost digits.
#[inline(always)]
fn least_variance<T: Float>() -> T {
    T::min_positive_value() / T::epsilon()
}

/// Writes a row of mean 0 and variance 1 whose squares are too great or too small for their type: it
/// is multiplied by a power of two first. Nothing if a number is infinite, or all are zero.
#[cold]
#[inline(never)]
fn normalized_by_scale<T: Element + Float>(row: &[T], out: &mut [T], eps: T) -> Option<(T, T)> {
    let greatest = row.iter().fold(T::ZERO, |all, &x| all.max(x.abs())).max(eps.sqrt());
    if !greatest.is_finite() || greatest == T::ZERO {
        return None;
    }
    let most = T::max_value().log2().floor() - T::ONE;
    let power = (-greatest.log2().floor()).max(-most).min(most).exp2();
    let first = row.first().map_or(T::ZERO, |&x| x * power);
    for (slot, &x) in out.iter_mut().zip(row) {
        *slot = x * power - first;
    }
    let (mean, variance) = moments(out, T::ZERO);
    let scale = (variance + eps * power * power).sqrt().recip();
    out.iter_mut().for_each(|slot| *slot = (*slot - mean) * scale);
    Some(((first + mean) / power, scale * power))
}

fn mean(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    ops::mean::dim::call(tensor, Some(dims), true, None)
}

/// The sum over these dimensions, of which there may be none.
fn sum(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    if dims.is_empty() {
        return Ok(tensor.clone());
    }
    ops::sum::dim_IntList::call(tensor, Some(dims), false, None)
}

/// The rows at mean 0 and variance 1, and one over their standard deviations, as functions of the
/// input.
fn normalized_input(input: &Tensor, dims: &[i64], eps: f64) -> Result<(Tensor, Tensor)> {
    let centered = input.sub(&mean(input, dims)?)?;
    let variance = mean(&centered.mul(&centered)?, dims)?;
    let rstd = variance.add_scalar(Scalar::Float(eps))?.rsqrt()?;
    Ok((centered.mul(&rstd)?, rstd))
}

/// `rstd * (h - mean(h) - x * mean(h * x))`, where `h = grad * weight`.
fn of_input(
    grad: &Tensor,
    weight: Option<&Tensor>,
    (x, rstd): (&Tensor, &Tensor),
    dims: &[i64],
) -> Result<Tensor> {
    let scaled = weight.map_or_else(|| Ok(grad.clone()), |weight| grad.mul(weight))?;
    let along = x.mul(&mean(&scaled.mul(x)?, dims)?)?;
    rstd.mul(&scaled.sub(&mean(&scaled, dims)?)?.sub(&along)?)
}

/// So many rows go to a thread together: sums over them do not depend on how many threads there are.
const BLOCK: usize = 64;

/// The gradients of input, weight and bias by a kernel, if there is one for these.
pub(super) fn by_rows(
    grad: &Tensor,
    input: &Tensor,
    shape: &[i64],
    (mean, rstd): (&Tensor, &Tensor),
    weight: Option<&Tensor>,
) -> Result<Option<(Tensor, Tensor, Tensor)>> {
    let dtype = input.dtype();
    let mut others = [grad, mean, rstd].into_iter().chain(weight);
    let is_exact = matches!(dtype, DType::Float32 | DType::Float64);
    if !is_exact || others.any(|it| it.dtype() != dtype) {
        return Ok(None);
    }
    let rows = element_count(&input.shape()[..input.ndim() - shape.len()])? as i64;
    let matrix = [rows, element_count(shape)? as i64];
    let weight = weight.map(|it| it.reshape(&matrix[1..])).transpose()?;
    let (of_input, of_weight, of_bias) = ops::_layer_norm_rows_backward::Default_::call(
        &grad.reshape(&matrix)?,
        &input.reshape(&matrix)?,
        &mean.reshape(&matrix[..1])?,
        &rstd.reshape(&matrix[..1])?,
        weight.as_ref(),
    )?;
    Ok(Some((of_input.reshape(input.shape())?, of_weight.reshape(shape)?, of_bias.reshape(shape)?)))
}

#[native_op(_layer_norm_rows_backward)]
fn layer_norm_rows_backward(
    grad: &Tensor,
    input: &Tensor,
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
) -> Result<(Tensor, Tensor, Tensor)> {
    let &[rows, columns] = input.shape() else {
        fail!(Runtime, "input must be a matrix, but has the shape {:?}", input.shape())
    };
    let (dtype, device) = (input.dtype(), input.device());
    check_saved(input, "grad", Some(grad), input.shape())?;
    check_saved(input, "mean", Some(mean), &[rows])?;
    check_saved(input, "rstd", Some(rstd), &[rows])?;
    check_saved(input, "weight", weight, &[columns])?;
    if !matches!(dtype, DType::Float32 | DType::Float64) {
        return Err(dtype.unsupported("_layer_norm_rows_backward"));
    }
    let vector = || Tensor::allocate(&[columns], dtype, device);
    let mut found = (Tensor::allocate(input.shape(), dtype, device)?, vector()?, vector()?);
    if !device.is_meta() {
        dispatch!(dtype, "layer_norm", calculated floating, |T| {
            rows_backward::<T>(grad, input, (mean, rstd), weight, &mut found)
        })?;
    }
    Ok(found)
}

fn rows_backward<T: Element + Float>(
    grad: &Tensor,
    input: &Tensor,
    (mean, rstd): (&Tensor, &Tensor),
    weight: Option<&Tensor>,
    (of_input, of_weight, of_bias): &mut (Tensor, Tensor, Tensor),
) -> Result<()> {
    let (rows, columns) = (input.shape()[0] as usize, input.shape()[1] as usize);
    let (grad, input) = (grad.to_contiguous()?, input.to_contiguous()?);
    let (mean, rstd) = (mean.to_vec::<T>()?, rstd.to_vec::<T>()?);
    let weight = match weight {
        Some(weight) => weight.to_vec::<T>()?,
        None => buffer::filled(columns, T::ONE)?,
    };
    let blocks = rows.div_ceil(BLOCK);
    let mut sums = buffer::filled(blocks * 2 * columns, T::ZERO)?;
    of_input.fill(Scalar::Int(0))?;
    let (of_rows, of_blocks) =
        (Pointer(of_input.data_ptr().cast::<T>()), Pointer(sums.as_mut_ptr()));
    // SAFETY: nobody writes to the inputs of an operator.
    let (grad, input) = unsafe { (grad.as_slice::<T>()?, input.as_slice::<T>()?) };
    parallel::share(blocks, BLOCK.min(rows) * columns * 4, &|range| {
        for block in range {
            // SAFETY: each block of sums, and each row, is of one task alone.
            let sums = unsafe {
                let first = of_blocks.at((block * 2 * columns) as isize);
                std::slice::from_raw_parts_mut(first, 2 * columns)
            };
            for row in block * BLOCK..rows.min((block + 1) * BLOCK) {
                let range = row * columns..(row + 1) * columns;
                // SAFETY: as above.
                let slots = unsafe {
                    std::slice::from_raw_parts_mut(of_rows.at(range.start as isize), columns)
                };
                let (grad, input) = (&grad[range.clone()], &input[range]);
                row_backward(grad, input, mean[row], rstd[row], &weight, slots, sums);
            }
        }
    });
    let (mut by_weight, mut by_bias) =
        (buffer::filled(columns, T::ZERO)?, buffer::filled(columns, T::ZERO)?);
    for sums in sums.chunks_exact(2 * columns.max(1)) {
        let (weight, bias) = sums.split_at(columns);
        by_weight.iter_mut().zip(weight).for_each(|(slot, &it)| *slot = *slot + it);
        by_bias.iter_mut().zip(bias).for_each(|(slot, &it)| *slot = *slot + it);
    }
    of_weight.copy_from(&Tensor::from_slice(&[columns as i64], &by_weight)?)?;
    of_bias.copy_from(&Tensor::from_slice(&[columns as i64], &by_bias)?)
}

/// As many parts of a sum as a processor works on at once.
const PARTS: usize = 16;

multiversion! {
    /// Writes the gradient of a row, and adds those of weights and of biases, which lie one after the
    /// other.
    #[allow(clippy::needless_range_loop, reason = "several rows are walked together")]
    fn row_backward<T>(
        grad: &[T],
        input: &[T],
        mean: T,
        rstd: T,
        weight: &[T],
        slots: &mut [T],
        sums: &mut [T],
    )
    where
        [T: Element + Float]
    {
        let columns = grad.len();
        let (input, weight, slots) = (&input[..columns], &weight[..columns], &mut slots[..columns]);
        let (of_weight, of_bias) = sums.split_at_mut(columns);
        let of_bias = &mut of_bias[..columns];
        let (mut first, mut second) = ([T::ZERO; PARTS], [T::ZERO; PARTS]);
        let whole = columns - columns % PARTS;
        for start in (0..whole).step_by(PARTS) {
            let (grad, input) = (&grad[start..start + PARTS], &input[start..start + PARTS]);
            let weight = &weight[start..start + PARTS];
            let of_weight = &mut of_weight[start..start + PARTS];
            let of_bias = &mut of_bias[start..start + PARTS];
            for at in 0..PARTS {
                let x = (input[at] - mean) * rstd;
                let h = grad[at] * weight[at];
                first[at] = first[at] + h;
                second[at] = second[at] + h * x;
                of_weight[at] = of_weight[at] + grad[at] * x;
                of_bias[at] = of_bias[at] + grad[at];
            }
        }
        for at in whole..columns {
            let x = (input[at] - mean) * rstd;
            let h = grad[at] * weight[at];
            first[0] = first[0] + h;
            second[0] = second[0] + h * x;
            of_weight[at] = of_weight[at] + grad[at] * x;
            of_bias[at] = of_bias[at] + grad[at];
        }
        let count = T::cast_from(columns as f64);
        let (first, second) = (total(&first, |it| it) / count, total(&second, |it| it) / count);
        for at in 0..columns {
            let x = (input[at] - mean) * rstd;
            slots[at] = rstd * (grad[at] * weight[at] - first - x * second);
        }
    }
}

/// Of the input `rstd * (h - mean(h) - x * mean(h * x))`, where `x` is the normalized input and
/// `h = grad * weight`; of weight and bias the sums of `grad * x` and of `grad` over the rows.
///
/// What was saved of the forward call does not depend on the input as far as recording knows, so
/// that it is calculated anew there.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn native_layer_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    normalized_shape: &[i64],
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    if !is_recording()
        && let Some(found) = by_rows(grad, input, normalized_shape, (mean, rstd), weight)?
    {
        let (of_input, of_weight, of_bias) = found;
        return Ok((
            wanted(mask, 0, || Ok(of_input))?,
            wanted(mask, 1, || Ok(of_weight))?,
            wanted(mask, 2, || Ok(of_bias))?,
        ));
    }
    let leading = input.ndim().saturating_sub(normalized_shape.len()) as i64;
    let rows: Vec<i64> = (0..leading).collect();
    let dims: Vec<i64> = (leading..input.ndim() as i64).collect();
    let (grad, wide) = (widened(grad)?, widened(input)?);
    let is_saved_exactly = wide.dtype() == input.dtype();
    let (x, rstd) = match is_saved_exactly && !is_recording() {
        true => (wide.sub(mean)?.mul(rstd)?, rstd.clone()),
        false => normalized_input(&wide, &dims, eps)?,
    };
    let dtype_of = |it: Option<&Tensor>| it.map_or(DType::Float32, Tensor::dtype);
    let of_input =
        wanted(mask, 0, || to(&of_input(&grad, weight, (&x, &rstd), &dims)?, input.dtype()))?;
    let of_weight = wanted(mask, 1, || to(&sum(&grad.mul(&x)?, &rows)?, dtype_of(weight)))?;
    let of_bias = wanted(mask, 2, || to(&sum(&grad, &rows)?, dtype_of(bias)))?;
    Ok((of_input, of_weight, of_bias))
}
