//! Margin losses: what is wrong by less than a margin costs, too.

use opwright_macros::native_op;
use opwright_runtime::{DType, Reduction, Result, Scalar, Tensor, ensure, fail};

use super::loss::reduced_losses;
use crate::ops::{self, TensorOps};

const ZERO: Scalar = Scalar::Int(0);
const ONE: Scalar = Scalar::Int(1);

/// What is added to squares of lengths, so that one can divide by their roots.
const EPSILON: f64 = 1e-12;

#[native_op(margin_ranking_loss)]
fn margin_ranking_loss(
    input1: &Tensor,
    input2: &Tensor,
    target: &Tensor,
    margin: f64,
    reduction: Reduction,
) -> Result<Tensor> {
    ensure!(
        input1.ndim() == input2.ndim() && input1.ndim() == target.ndim(),
        Runtime,
        "margin_ranking_loss: all inputs should have the same number of dimensions, but got sizes: \
         input1: {:?}, input2: {:?}, target: {:?}",
        input1.shape(),
        input2.shape(),
        target.shape()
    );
    let losses = target.neg()?.mul(&input1.sub(input2)?)?.add_scalar(Scalar::Float(margin))?;
    reduced_losses(losses.clamp_min(ZERO)?, reduction)
}

#[native_op(hinge_embedding_loss)]
fn hinge_embedding_loss(
    self_: &Tensor,
    target: &Tensor,
    margin: f64,
    reduction: Reduction,
) -> Result<Tensor> {
    let below = ops::rsub::Scalar::call(self_, Scalar::Float(margin), ONE)?.clamp_min(ZERO)?;
    let apart = where_or_zero(&target.ne_scalar(ONE)?, &below)?;
    let near = where_or_zero(&target.ne_scalar(Scalar::Int(-1))?, self_)?;
    reduced_losses(apart.add(&near)?, reduction)
}

fn where_or_zero(condition: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    ops::r#where::ScalarOther::call(condition, tensor, ZERO)
}

#[native_op(cosine_embedding_loss)]
fn cosine_embedding_loss(
    input1: &Tensor,
    input2: &Tensor,
    target: &Tensor,
    margin: f64,
    reduction: Reduction,
) -> Result<Tensor> {
    let dims = target.ndim();
    ensure!(dims < 2, Runtime, "0D or 1D target tensor expected, multi-target not supported");
    ensure!(
        input1.ndim() == dims + 1 && input2.ndim() == dims + 1,
        Runtime,
        "{dims}D target tensor expects {}D input tensors, but found inputs with sizes {:?} and {:?}",
        dims + 1,
        input1.shape(),
        input2.shape()
    );
    let products = |a: &Tensor, b: &Tensor| a.mul(b)?.sum_dim_intlist(Some(&[-1]));
    let length = |it: &Tensor| products(it, it)?.add_scalar(Scalar::Float(EPSILON));
    let lengths = length(input1)?.mul(&length(input2)?)?.sqrt()?;
    let cosine = products(input1, input2)?.div(&lengths)?;
    let near = ops::rsub::Scalar::call(&cosine, ONE, ONE)?;
    let apart = cosine.sub_scalar(Scalar::Float(margin))?.clamp_min(ZERO)?;
    let near = where_or_zero(&target.eq_scalar(ONE)?, &near)?;
    let apart = where_or_zero(&target.eq_scalar(Scalar::Int(-1))?, &apart)?;
    reduced_losses(near.add(&apart)?, reduction)
}

#[native_op(triplet_margin_loss)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn triplet_margin_loss(
    anchor: &Tensor,
    positive: &Tensor,
    negative: &Tensor,
    margin: f64,
    p: f64,
    eps: f64,
    swap: bool,
    reduction: Reduction,
) -> Result<Tensor> {
    ensure!(margin > 0.0, Value, "margin must be greater than 0, got {margin}");
    ensure!(
        anchor.ndim() == positive.ndim() && positive.ndim() == negative.ndim(),
        Runtime,
        "The anchor, positive, and negative tensors are expected to have the same number of \
         dimensions, but got: anchor {}D, positive {}D, and negative {}D inputs",
        anchor.ndim(),
        positive.ndim(),
        negative.ndim()
    );
    let distance = |a, b| ops::pairwise_distance::Default_::call(a, b, p, eps, false);
    let mut apart = distance(anchor, negative)?;
    if swap {
        apart = apart.minimum(&distance(positive, negative)?)?;
    }
    let losses = distance(anchor, positive)?.sub(&apart)?.add_scalar(Scalar::Float(margin))?;
    reduced_losses(losses.clamp_min(ZERO)?, reduction)
}

#[native_op(soft_margin_loss)]
fn soft_margin_loss(self_: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
    // `log(1 + exp(x))`, which stays finite where the exponential does not.
    let exponent = target.neg()?.mul(self_)?;
    let losses = exponent.logaddexp(&exponent.new_zeros(&[])?)?;
    reduced_losses(losses, reduction)
}

#[native_op(multi_margin_loss)]
fn multi_margin_loss(
    self_: &Tensor,
    target: &Tensor,
    p: Scalar,
    margin: Scalar,
    weight: Option<&Tensor>,
    reduction: Reduction,
) -> Result<Tensor> {
    let power = p.to_f64()?;
    ensure!(power == 1.0 || power == 2.0, Runtime, "only p == 1 and p == 2 supported");
    let [samples, classes] = samples_of("multi_margin_loss", self_)?;
    ensure!(
        target.numel() as i64 == samples && target.ndim() <= 1,
        Runtime,
        "inconsistent target size, expected {samples} but got {:?}",
        target.shape()
    );
    check_labels("multi_margin_loss", target)?;
    if let Some(weight) = weight {
        ensure!(
            weight.shape() == [classes],
            Runtime,
            "inconsistent weight size, expected {classes} but got {:?}",
            weight.shape()
        );
    }
    let input = self_.reshape(&[samples, classes])?;
    let right = target.reshape(&[samples, 1])?;
    let of_right = input.gather(1, &right)?;
    let mut losses = input.sub(&of_right)?.add_scalar(margin)?.relu()?;
    if power == 2.0 {
        losses = losses.mul(&losses)?;
    }
    if let Some(weight) = weight {
        losses =
            losses.mul(&weight.index_select(0, &target.reshape(&[samples])?)?.unsqueeze(1)?)?;
    }
    let losses = losses.scatter_value(1, &right, ZERO)?.sum_dim_intlist(Some(&[1]))?;
    let losses = losses.div_scalar(Scalar::Int(classes))?;
    match reduction {
        Reduction::None if target.ndim() == 0 => losses.reshape(&[]),
        _ => reduced_losses(losses, reduction),
    }
}

/// How many samples and classes scores have: one sample if they have no dimension for them.
pub(super) fn samples_of(what: &str, scores: &Tensor) -> Result<[i64; 2]> {
    match *scores.shape() {
        [] => Ok([1, 1]),
        [classes] if classes > 0 => Ok([1, classes]),
        [samples, classes] if classes > 0 => Ok([samples, classes]),
        ref other => fail!(
            Runtime,
            "{what}: expected non-empty vector or matrix with optional 0-dim batch size, but got: \
             {other:?}"
        ),
    }
}

pub(super) fn check_labels(what: &str, target: &Tensor) -> Result<()> {
    let dtype = target.dtype();
    ensure!(
        dtype == DType::Int64,
        Runtime,
        "{what}: argument 'target' must be int64 class numbers, but is {dtype}"
    );
    Ok(())
}
