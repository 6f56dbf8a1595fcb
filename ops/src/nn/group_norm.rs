//! Group normalization, and normalization by the root of the mean square.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Scalar, Tensor, dispatch, ensure, fail, view};

use super::layer_norm::{native_layer_norm_backward, normalize_groups};
use crate::gradient::{to, wanted, widened};
use crate::ops::{self, TensorOps};

#[native_op(group_norm)]
fn group_norm(
    input: &Tensor,
    num_groups: i64,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
    _cudnn_enabled: bool,
) -> Result<Tensor> {
    let &[batch, channels, ref rest @ ..] = input.shape() else {
        fail!(
            Runtime,
            "Expected at least 2 dimensions for input tensor but received {}",
            input.ndim()
        )
    };
    let size = rest.iter().product();
    let found = ops::native_group_norm::Default_::call(
        input, weight, bias, batch, channels, size, num_groups, eps,
    );
    Ok(found?.0)
}

#[native_op(native_group_norm)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
#[allow(non_snake_case, reason = "these are the schema's names")]
fn native_group_norm(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    N: i64,
    C: i64,
    HxW: i64,
    group: i64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    ensure!(group > 0, Runtime, "Expected num groups to be greater than 0, got {group}");
    ensure!(
        C % group == 0,
        Runtime,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape \
         {:?} and num_groups={group}",
        input.shape()
    );
    let elements = [C, HxW].iter().try_fold(N, |count, it| count.checked_mul(*it));
    ensure!(
        input.shape().starts_with(&[N, C]) && elements == Some(input.numel() as i64),
        Runtime,
        "argument 'input' of shape {:?} does not have {N} times {C} channels of {HxW} elements",
        input.shape()
    );
    for (name, tensor) in [("weight", weight), ("bias", bias)] {
        let Some(tensor) = tensor else { continue };
        common_device(&[input, tensor])?;
        ensure!(
            tensor.shape() == [C],
            Runtime,
            "Expected {name} to be a vector of size equal to the number of channels in input, but \
             got {name} of shape {:?} and input of shape {:?}",
            tensor.shape(),
            input.shape()
        );
    }
    let size = (C / group).saturating_mul(HxW);
    let (dtype, device) = (input.dtype(), input.device());
    if device.is_meta() {
        let stats = || Tensor::allocate(&[N, group], dtype, device);
        return Ok((Tensor::allocate(input.shape(), dtype, device)?, stats()?, stats()?));
    }
    let groups = view::reshape(&input.to_contiguous()?, &[N, group, size])?;
    let (out, stats) = dispatch!(dtype, "layer_norm", calculated floating, |T| {
        normalize_groups::<T>(&groups, weight, bias, eps)
    })?;
    let column = |at: i64| view::select(&stats, 2, at)?.copy()?.to_dtype(dtype);
    Ok((view::reshape(&out, input.shape())?.to_dtype(dtype)?, column(0)?, column(1)?))
}

/// Of the input that of `native_layer_norm` over the groups, by `grad * weight`; of weight and bias the
/// sums of `grad` times the normalized input, and of `grad`, over each channel.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn group_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    group: i64,
    eps: f64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    let (batch, channels) = (input.shape()[0], input.shape()[1]);
    let elements = input.shape()[2..].iter().product::<i64>();
    let size = channels / group * elements;
    let groups = input.reshape(&[batch, group, size])?;
    let grad = widened(grad)?.reshape(&[batch, channels, elements])?;
    let of_channels = |it: &Tensor, parameter: Option<&Tensor>| {
        let sum = ops::sum::dim_IntList::call(it, Some(&[0, 2]), false, None)?;
        to(&sum, parameter.map_or(input.dtype(), Tensor::dtype))
    };
    let mut of_input = None;
    if mask[0] {
        let scaled = match weight {
            Some(weight) => grad.mul(&weight.reshape(&[channels, 1])?)?,
            None => grad.clone(),
        };
        let (scaled, each) = (scaled.reshape(groups.shape())?, [batch, group, 1]);
        let (mean, rstd) = (mean.reshape(&each)?, rstd.reshape(&each)?);
        of_input = native_layer_norm_backward(
            &scaled,
            &groups,
            &[size],
            &mean,
            &rstd,
            None,
            None,
            eps,
            &[true, false, false],
        )?
        .0;
    }
    let of_input = of_input.map(|it| it.reshape(input.shape())).transpose()?;
    let of_weight = wanted(mask, 1, || {
        let normalize = ops::native_layer_norm::Default_::call;
        let (normalized, _, _) = normalize(&widened(&groups)?, &[size], None, None, eps)?;
        of_channels(&grad.mul(&normalized.reshape(grad.shape())?)?, weight)
    })?;
    Ok((of_input, of_weight, wanted(mask, 2, || of_channels(&grad, bias))?))
}

#[native_op(rms_norm)]
fn rms_norm(
    input: &Tensor,
    normalized_shape: &[i64],
    weight: Option<&Tensor>,
    eps: Option<f64>,
) -> Result<Tensor> {
    ensure!(
        !normalized_shape.is_empty() && input.shape().ends_with(normalized_shape),
        Runtime,
        "Given normalized_shape={normalized_shape:?}, expected input with these as its last sizes, \
         but got input of size {:?}",
        input.shape()
    );
    if let Some(weight) = weight {
        ensure!(
            weight.shape() == normalized_shape,
            Runtime,
            "Expected weight to be of same shape as normalized_shape, but got weight of shape {:?} \
             and normalized_shape = {normalized_shape:?}",
            weight.shape()
        );
    }
    let dims: Vec<i64> = (1..=normalized_shape.len() as i64).map(|it| -it).collect();
    let wide = to(input, input.dtype().calculated())?;
    let mean = ops::mean::dim::call(&wide.mul(&wide)?, Some(&dims), true, None)?;
    let eps = Scalar::Float(eps.unwrap_or(epsilon(input.dtype())));
    let mut result = wide.mul(&mean.add_scalar(eps)?.rsqrt()?)?;
    if let Some(weight) = weight {
        result = result.mul(weight)?;
    }
    to(&result, input.dtype())
}

/// From one to the next greater number.
fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::BFloat16 => 0.007_812_5,
        DType::Float16 => 0.000_976_562_5,
        DType::Float64 | DType::Complex128 => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    }
}
