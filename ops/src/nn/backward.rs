//! Gradients of layers as operators of their own, for programs that call them.

use opwright_macros::native_op;
use opwright_runtime::autograd::is_recording;
use opwright_runtime::{DType, Result, Tensor, ensure};

use super::convolution::convolution_backward as of_convolution;
use super::layer_norm::by_rows;
use super::softmax::{log_softmax_backward_data, softmax_backward_data};
use crate::gradient::{to, wanted, widened};
use crate::ops::{self, TensorOps};

/// The gradients of three inputs; a tensor without elements stands for one that is not wanted.
type Three = (Tensor, Tensor, Tensor);

fn three(like: &Tensor, found: (Option<Tensor>, Option<Tensor>, Option<Tensor>)) -> Result<Three> {
    let or_none = |it: Option<Tensor>| it.map_or_else(|| like.new_zeros(&[0]), Ok);
    Ok((or_none(found.0)?, or_none(found.1)?, or_none(found.2)?))
}

fn check_mask(mask: &[bool]) -> Result<()> {
    ensure!(
        mask.len() == 3,
        Runtime,
        "output_mask must say of three inputs whether their gradient is wanted, but has {} elements",
        mask.len()
    );
    Ok(())
}

fn check_same_shape((name, grad): (&str, &Tensor), (of, like): (&str, &Tensor)) -> Result<()> {
    ensure!(
        grad.shape() == like.shape(),
        Runtime,
        "{name} must have the shape of {of}, {:?}, but has {:?}",
        like.shape(),
        grad.shape()
    );
    Ok(())
}

#[native_op(_softmax_backward_data)]
fn softmax_gradient(
    grad_output: &Tensor,
    output: &Tensor,
    dim: i64,
    input_dtype: DType,
) -> Result<Tensor> {
    check_same_shape(("grad_output", grad_output), ("output", output))?;
    softmax_backward_data(grad_output, output, dim, input_dtype)
}

#[native_op(_log_softmax_backward_data)]
fn log_softmax_gradient(
    grad_output: &Tensor,
    output: &Tensor,
    dim: i64,
    input_dtype: DType,
) -> Result<Tensor> {
    check_same_shape(("grad_output", grad_output), ("output", output))?;
    log_softmax_backward_data(grad_output, output, dim, input_dtype)
}

#[native_op(convolution_backward)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn convolution_gradients(
    grad_output: &Tensor,
    input: &Tensor,
    weight: &Tensor,
    _bias_sizes: Option<&[i64]>,
    stride: &[i64],
    padding: &[i64],
    dilation: &[i64],
    transposed: bool,
    output_padding: &[i64],
    groups: i64,
    output_mask: &[bool],
) -> Result<Three> {
    check_mask(output_mask)?;
    // The shape that the result has, and everything that is to be refused.
    let meta = |it: &Tensor| {
        ops::empty_like::Default_::call(
            it,
            None,
            None,
            Some(opwright_runtime::Device::Meta),
            None,
            None,
        )
    };
    let result = ops::convolution::Default_::call(
        &meta(input)?,
        &meta(weight)?,
        None,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
    )?;
    ensure!(
        result.shape() == grad_output.shape(),
        Runtime,
        "grad_output must have the shape of the convolution's result, {:?}, but has {:?}",
        result.shape(),
        grad_output.shape()
    );
    let found = of_convolution(
        grad_output,
        input,
        weight,
        stride,
        padding,
        dilation,
        transposed,
        groups,
        output_mask,
    )?;
    three(input, found)
}

/// Of the input `rstd * (h - mean(h) - x * mean(h * x))` over some dimensions, where `x` is the
/// normalized input and `h` the gradient of it.
fn of_normalized(h: &Tensor, x: &Tensor, rstd: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mean = |it: &Tensor| ops::mean::dim::call(it, Some(dims), true, None);
    let along = x.mul(&mean(&h.mul(x)?)?)?;
    rstd.mul(&h.sub(&mean(h)?)?.sub(&along)?)
}

#[native_op(native_layer_norm_backward)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn layer_norm_gradients(
    grad_out: &Tensor,
    input: &Tensor,
    normalized_shape: &[i64],
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    output_mask: &[bool],
) -> Result<Three> {
    check_mask(output_mask)?;
    check_same_shape(("grad_out", grad_out), ("the input", input))?;
    ensure!(
        input.shape().ends_with(normalized_shape),
        Runtime,
        "normalized_shape {normalized_shape:?} is not that of the last dimensions of input, {:?}",
        input.shape()
    );
    if !is_recording()
        && let Some(found) = by_rows(grad_out, input, normalized_shape, (mean, rstd), weight)?
    {
        let (of_input, of_weight, of_bias) = found;
        let found = (
            wanted(output_mask, 0, || Ok(of_input))?,
            wanted(output_mask, 1, || Ok(of_weight))?,
            wanted(output_mask, 2, || Ok(of_bias))?,
        );
        return three(input, found);
    }
    let leading = (input.ndim() - normalized_shape.len()) as i64;
    let rows: Vec<i64> = (0..leading).collect();
    let dims: Vec<i64> = (leading..input.ndim() as i64).collect();
    let (grad, wide) = (widened(grad_out)?, widened(input)?);
    let x = wide.sub(mean)?.mul(rstd)?;
    let h = weight.map_or_else(|| Ok(grad.clone()), |weight| grad.mul(weight))?;
    let over_rows = |it: &Tensor, dtype: DType| {
        let sum = match rows.is_empty() {
            true => it.clone(),
            false => ops::sum::dim_IntList::call(it, Some(&rows), false, None)?,
        };
        to(&sum, dtype)
    };
    let dtype_of = |it: Option<&Tensor>| it.map_or(input.dtype(), Tensor::dtype);
    let found = (
        wanted(output_mask, 0, || to(&of_normalized(&h, &x, rstd, &dims)?, input.dtype()))?,
        wanted(output_mask, 1, || over_rows(&grad.mul(&x)?, dtype_of(weight)))?,
        wanted(output_mask, 2, || over_rows(&grad, dtype_of(bias)))?,
    );
    three(input, found)
}

#[native_op(native_group_norm_backward)]
#[allow(
    clippy::too_many_arguments,
    non_snake_case,
    reason = "as many as the schema says, and as it calls them"
)]
fn group_norm_gradients(
    grad_out: &Tensor,
    input: &Tensor,
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
    N: i64,
    C: i64,
    HxW: i64,
    group: i64,
    output_mask: &[bool],
) -> Result<Three> {
    check_mask(output_mask)?;
    check_same_shape(("grad_out", grad_out), ("the input", input))?;
    ensure!(
        group > 0 && C % group == 0,
        Runtime,
        "group must divide the {C} channels, but is {group}"
    );
    let channels = [N, group, C / group, HxW];
    let (grad, wide) =
        (widened(grad_out)?.reshape(&channels)?, widened(input)?.reshape(&channels)?);
    let each = [N, group, 1, 1];
    let (mean, rstd) = (mean.reshape(&each)?, rstd.reshape(&each)?);
    let x = wide.sub(&mean)?.mul(&rstd)?;
    let h = match weight {
        Some(weight) => grad.mul(&weight.reshape(&[group, C / group, 1])?)?,
        None => grad.clone(),
    };
    let dtype = weight.map_or(input.dtype(), Tensor::dtype);
    let of_channels = |it: &Tensor| {
        let sum = ops::sum::dim_IntList::call(it, Some(&[0, 3]), false, None)?;
        to(&sum.reshape(&[C])?, dtype)
    };
    let of_input = || {
        let found = of_normalized(&h, &x, &rstd, &[2, 3])?.reshape(input.shape())?;
        to(&found, input.dtype())
    };
    let found = (
        wanted(output_mask, 0, of_input)?,
        wanted(output_mask, 1, || of_channels(&grad.mul(&x)?))?,
        wanted(output_mask, 2, || of_channels(&grad))?,
    );
    three(input, found)
}
