//! Batch normalization: channels brought to mean 0 and variance 1, over a batch or by running
//! statistics.

use opwright_macros::native_op;
use opwright_runtime::{DispatchKey, Result, Scalar, Tensor, dispatch, ensure, fail};

use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(batch_norm)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn batch_norm(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: Option<&Tensor>,
    running_var: Option<&Tensor>,
    training: bool,
    momentum: f64,
    eps: f64,
    _cudnn_enabled: bool,
) -> Result<Tensor> {
    if input.numel() == 0 {
        return ops::clone::Default_::call(input, None);
    }
    let found = ops::native_batch_norm::Default_::call(
        input,
        weight,
        bias,
        running_mean,
        running_var,
        training,
        momentum,
        eps,
    );
    Ok(found?.0)
}

#[native_op(native_batch_norm)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn native_batch_norm(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: Option<&Tensor>,
    running_var: Option<&Tensor>,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    let mut running = match (running_mean, running_var) {
        (Some(mean), Some(var)) => Some((mean.clone(), var.clone())),
        (None, None) if training => None,
        (None, None) => {
            fail!(Runtime, "running_mean and running_var must be given in evaluation mode")
        }
        _ => fail!(Runtime, "running_mean and running_var must both be given, or neither"),
    };
    let parameters = Parameters { weight, bias };
    let running = running.as_mut().map(|(mean, var)| Running { mean, var });
    match running {
        Some(running) if !training => by_running(input, parameters, &running, eps),
        running => over_batch(input, parameters, running, momentum, eps),
    }
}

#[native_op(_native_batch_norm_legit)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn native_batch_norm_legit(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: &mut Tensor,
    running_var: &mut Tensor,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    let running = Running { mean: running_mean, var: running_var };
    let parameters = Parameters { weight, bias };
    match training {
        true => over_batch(input, parameters, Some(running), momentum, eps),
        false => by_running(input, parameters, &running, eps),
    }
}

#[native_op(_native_batch_norm_legit_functional)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn native_batch_norm_functional(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: &Tensor,
    running_var: &Tensor,
    training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor, Tensor, Tensor)> {
    let copy = |it: &Tensor| ops::clone::Default_::call(it, None);
    let (mut mean, mut var) = (copy(running_mean)?, copy(running_var)?);
    let call = ops::_native_batch_norm_legit::Default_::call;
    let (result, saved_mean, saved_rstd) =
        call(input, weight, bias, &mut mean, &mut var, training, momentum, eps)?;
    Ok((result, saved_mean, saved_rstd, mean, var))
}

#[native_op(_native_batch_norm_legit.no_stats)]
fn native_batch_norm_without_stats(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    _training: bool,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    over_batch(input, Parameters { weight, bias }, None, momentum, eps)
}

#[native_op(_native_batch_norm_legit_no_training)]
fn native_batch_norm_no_training(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: &Tensor,
    running_var: &Tensor,
    _momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    let running = Running { mean: &mut running_mean.clone(), var: &mut running_var.clone() };
    by_running(input, Parameters { weight, bias }, &running, eps)
}

/// What each channel is multiplied by, and what is added to it.
#[derive(Clone, Copy)]
struct Parameters<'a> {
    weight: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
}

/// Averages over batches so far.
struct Running<'a> {
    mean: &'a mut Tensor,
    var: &'a mut Tensor,
}

/// The channels of an input.
fn channels(input: &Tensor) -> Result<i64> {
    match input.shape() {
        [_, channels, ..] => Ok(*channels),
        other => {
            fail!(Runtime, "batch_norm(): expected at least 2D input, but got shape {other:?}")
        }
    }
}

/// Fails unless everything that is there has a number for each channel.
fn check(
    input: &Tensor,
    Parameters { weight, bias }: Parameters<'_>,
    running: Option<&Running<'_>>,
) -> Result<()> {
    let channels = channels(input)?;
    if !input.dtype().is_floating() {
        return Err(input.dtype().unsupported("batch_norm"));
    }
    let mean = running.map(|it| &*it.mean);
    let var = running.map(|it| &*it.var);
    let all = [("running_mean", mean), ("running_var", var), ("weight", weight), ("bias", bias)];
    for (name, tensor) in all {
        let Some(tensor) = tensor else { continue };
        ensure!(
            tensor.shape() == [channels],
            Runtime,
            "{name} should contain {channels} elements not {:?}",
            tensor.shape()
        );
    }
    Ok(())
}

/// By the statistics of the batch, which go into the running ones.
fn over_batch(
    input: &Tensor,
    parameters: Parameters<'_>,
    running: Option<Running<'_>>,
    momentum: f64,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    check(input, parameters, running.as_ref())?;
    let dims: Vec<i64> = (0..input.ndim() as i64).filter(|it| *it != 1).collect();
    let wide = to(input, input.dtype().calculated())?;
    let correction = Some(Scalar::Int(0));
    let (var, mean) = ops::var_mean::correction::call(&wide, Some(&dims), correction, false)?;
    let rstd = var.add_scalar(Scalar::Float(eps))?.rsqrt()?;
    // Statistics have the dtype of the parameters.
    let others = [parameters.weight, parameters.bias, running.as_ref().map(|it| &*it.mean)];
    let kept = others.into_iter().flatten().next().map_or(input.dtype(), |it| it.dtype());
    if let Some(running) = running {
        let count = (input.numel() as i64 / channels(input)?.max(1)) as f64;
        let unbiased = count / (count - 1.0);
        dispatch::below(DispatchKey::Autograd, || {
            advance(running.mean, &mean, momentum)?;
            advance(running.var, &var.mul_scalar(Scalar::Float(unbiased))?, momentum)
        })?;
    }
    let result = scaled(input, &mean, &rstd, parameters)?;
    let kept = |it: &Tensor| ops::detach::Default_::call(&to(it, kept)?);
    Ok((result, kept(&mean)?, kept(&rstd)?))
}

/// Moves an average towards a new value.
fn advance(average: &mut Tensor, value: &Tensor, momentum: f64) -> Result<()> {
    average.mul__scalar(Scalar::Float(1.0 - momentum))?;
    ops::add_::Tensor::call(average, value, Scalar::Float(momentum))
}

/// By running statistics; there are none of the batch.
fn by_running(
    input: &Tensor,
    parameters: Parameters<'_>,
    running: &Running<'_>,
    eps: f64,
) -> Result<(Tensor, Tensor, Tensor)> {
    check(input, parameters, Some(running))?;
    let rstd = running.var.add_scalar(Scalar::Float(eps))?.rsqrt()?;
    let nothing = || running.mean.new_zeros(&[0]);
    Ok((scaled(input, running.mean, &rstd, parameters)?, nothing()?, nothing()?))
}

/// `(input - mean) * rstd * weight + bias` of each channel.
fn scaled(
    input: &Tensor,
    mean: &Tensor,
    rstd: &Tensor,
    Parameters { weight, bias }: Parameters<'_>,
) -> Result<Tensor> {
    let factor = match weight {
        Some(weight) => rstd.mul(weight)?,
        None => rstd.clone(),
    };
    let offset = mean.mul(&factor)?;
    let offset = match bias {
        Some(bias) => bias.sub(&offset)?,
        None => offset.neg()?,
    };
    by_channel(input, &factor, &offset)
}

/// `input * factor + offset` of each channel, the second dimension.
fn by_channel(input: &Tensor, factor: &Tensor, offset: &Tensor) -> Result<Tensor> {
    let mut shape = vec![1; input.ndim() - 1];
    shape[0] = -1;
    let (factor, offset) = (factor.reshape(&shape)?, offset.reshape(&shape)?);
    let result = ops::addcmul::Default_::call(&offset, input, &factor, Scalar::Int(1))?;
    to(&result, input.dtype())
}

#[native_op(instance_norm)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn instance_norm(
    input: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    running_mean: Option<&Tensor>,
    running_var: Option<&Tensor>,
    use_input_stats: bool,
    momentum: f64,
    eps: f64,
    _cudnn_enabled: bool,
) -> Result<Tensor> {
    ensure!(
        use_input_stats || running_mean.is_some() && running_var.is_some(),
        Runtime,
        "Expected running_mean and running_var to be defined when use_input_stats is false"
    );
    let &[batch, channels, ref rest @ ..] = input.shape() else {
        fail!(
            Runtime,
            "instance_norm(): expected at least 2D input, but got shape {:?}",
            input.shape()
        )
    };
    // One batch with the channels of all images.
    let repeated = |it: Option<&Tensor>| it.map(|it| it.repeat(&[batch])).transpose();
    let (weight, bias) = (repeated(weight)?, repeated(bias)?);
    let (mean, var) = (repeated(running_mean)?, repeated(running_var)?);
    let together = input.reshape(&[&[1, batch * channels], rest].concat())?;
    let result = ops::batch_norm::Default_::call(
        &together,
        weight.as_ref(),
        bias.as_ref(),
        mean.as_ref(),
        var.as_ref(),
        use_input_stats,
        momentum,
        eps,
        false,
    )?;
    if use_input_stats {
        for (running, repeated) in [(running_mean, mean), (running_var, var)] {
            let (Some(running), Some(repeated)) = (running, repeated) else { continue };
            dispatch::below(DispatchKey::Autograd, || {
                let mean = repeated.reshape(&[batch, channels])?.mean_dim(Some(&[0]))?;
                ops::copy_::Default_::call(&mut running.clone(), &mean, false)
            })?;
        }
    }
    result.reshape(input.shape())
}
