//! Activations with gates and thresholds, as compositions.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DispatchKey, Generator, Result, Scalar, Tensor, dispatch, ensure, fail};

use crate::ops::{self, TensorOps};

const ZERO: Scalar = Scalar::Int(0);

#[native_op(hardshrink)]
fn hardshrink(self_: &Tensor, lambd: Scalar) -> Result<Tensor> {
    let near = self_.abs()?.le_scalar(lambd)?;
    ops::masked_fill::Scalar::call(self_, &near, ZERO)
}

#[native_op(log_sigmoid)]
fn log_sigmoid(self_: &Tensor) -> Result<Tensor> {
    let opposite = self_.neg()?;
    opposite.logaddexp(&opposite.new_zeros(&[])?)?.neg()
}

#[native_op(glu)]
fn glu(self_: &Tensor, dim: i64) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Runtime, "glu does not support 0-dimensional tensors");
    let at = wrap_dim(dim, self_.ndim())?;
    let size = self_.shape()[at];
    ensure!(
        size % 2 == 0,
        Runtime,
        "Halving dimension must be even, but dimension {at} is size {size}"
    );
    let gate = self_.narrow(dim, size / 2, size / 2)?.sigmoid()?;
    self_.narrow(dim, 0, size / 2)?.mul(&gate)
}

#[native_op(prelu)]
fn prelu(self_: &Tensor, weight: &Tensor) -> Result<Tensor> {
    ensure!(
        self_.dtype() == weight.dtype(),
        Runtime,
        "prelu: Type promoting not supported. Got {} and {}",
        self_.dtype(),
        weight.dtype()
    );
    ensure!(
        weight.ndim() <= 1,
        Runtime,
        "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}",
        weight.ndim()
    );
    let mut slope = weight.clone();
    if weight.numel() != 1 {
        let [_, rest @ ..] = self_.shape() else {
            fail!(Runtime, "prelu: Not allow zero-dim input tensor.")
        };
        let channels = rest.first().copied().unwrap_or(1);
        ensure!(
            weight.numel() as i64 == channels,
            Runtime,
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and \
             channel size = {channels}.",
            weight.numel()
        );
        let mut shape = vec![1; self_.ndim().max(2)];
        shape[1] = channels;
        slope = weight.reshape(&shape[..self_.ndim().max(1)])?;
    } else if weight.ndim() > self_.ndim() {
        slope = weight.reshape(&[])?;
    }
    self_.relu()?.add(&self_.clamp_max(ZERO)?.mul(&slope)?)
}

#[native_op(rrelu)]
fn rrelu(
    self_: &Tensor,
    lower: Scalar,
    upper: Scalar,
    training: bool,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    let (lower, upper) = (lower.to_f64()?, upper.to_f64()?);
    ensure!(
        lower <= upper,
        Runtime,
        "Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}"
    );
    if !training {
        let slope = Scalar::Float(f64::midpoint(lower, upper));
        return ops::leaky_relu::Default_::call(self_, slope);
    }
    let mut slopes = self_.detach()?.new_empty(self_.shape())?;
    dispatch::below(DispatchKey::Autograd, || {
        ops::uniform_::Default_::call(&mut slopes, lower, upper, generator)
    })?;
    let slopes = ops::r#where::ScalarOther::call(&self_.le_scalar(ZERO)?, &slopes, Scalar::Int(1))?;
    self_.mul(&slopes)
}
