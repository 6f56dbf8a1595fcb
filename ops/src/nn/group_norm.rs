//! Group normalization, and normalization by the root of the mean square.

use opwright_macros::native_op;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure, fail};

use super::batch_norm::by_channel;
use crate::gradient::to;
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
    let grouped = input.reshape(&[N, group, size])?;
    let (grouped, mean, rstd) =
        ops::native_layer_norm::Default_::call(&grouped, &[size], None, None, eps)?;
    let mut result = grouped.reshape(input.shape())?;
    if weight.is_some() || bias.is_some() {
        let ones = || ops::new_ones::Default_::call(input, &[C], None, None, None, None);
        let factor = weight.map_or_else(ones, |it| Ok(it.clone()))?;
        let offset = bias.map_or_else(|| input.new_zeros(&[C]), |it| Ok(it.clone()))?;
        result = by_channel(&result, &factor, &offset)?;
    }
    Ok((result, mean.reshape(&[N, group])?, rstd.reshape(&[N, group])?))
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
