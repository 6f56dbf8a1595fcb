//! The margin loss of several labels: pairs of a label and a class that is none, visited row by row,
//! so that memory grows with the scores and not with the pairs.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float, Ordered};
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, Reduction, Result, Scalar, Spec, Tensor, along_dim, default_dtype, dispatch, ensure,
    fail, interrupt, view,
};

use super::loss::ReduceLosses;
use super::margin_loss::{check_labels, samples_of};
use crate::gradient::to;
use crate::ops::{self, TensorOps};

#[native_op(multilabel_margin_loss)]
fn multilabel_margin_loss(self_: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
    let scores = if self_.dtype().is_integral() { &to(self_, default_dtype())? } else { self_ };
    Ok(ops::multilabel_margin_loss_forward::Default_::call(scores, target, reduction)?.0)
}

#[native_op(multilabel_margin_loss_forward.output, rule)]
fn multilabel_margin_loss_rule(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
) -> Result<(Spec, Spec)> {
    let [samples, _] = check(self_, target)?;
    let (dtype, device) = (self_.dtype(), common_device(&[self_, target])?);
    let each = [samples];
    let is_each = reduction == Reduction::None && self_.ndim() == 2;
    let shape = if is_each { &each[..] } else { &[] };
    Ok((Spec::new(shape, dtype, device), Spec::new(target.shape(), dtype, device)))
}

/// How many samples and classes there are, if labels go with scores.
fn check(scores: &Tensor, target: &Tensor) -> Result<[i64; 2]> {
    let sizes = samples_of("multilabel_margin_loss", scores)?;
    ensure!(
        target.numel() == scores.numel() && target.ndim() <= 2,
        Runtime,
        "inconsistent target size: {:?} for input of size: {:?}",
        target.shape(),
        scores.shape()
    );
    check_labels("multilabel_margin_loss", target)?;
    let dtype = scores.dtype();
    if dtype.is_floating() { Ok(sizes) } else { Err(dtype.unsupported("multilabel_margin_loss")) }
}

#[native_op(multilabel_margin_loss_forward.output)]
fn multilabel_margin_loss_forward_output(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    output: &mut Tensor,
    is_target: &mut Tensor,
) -> Result<()> {
    let sizes = check(self_, target)?;
    let counts = label_counts(target, sizes)?;
    let is_label = view::reshape(&counts, target.shape())?.to_dtype(DType::Bool)?;
    is_target.copy_from(&is_label)?;
    let scores = view::reshape(self_, &sizes)?;
    dispatch!(self_.dtype(), "multilabel_margin_loss", calculated floating, |T| {
        let mut losses = Tensor::allocate(&[sizes[0], 1], T::DTYPE, self_.device())?;
        // SAFETY: the function uses nothing but its lanes, and threads that share a tensor leave it
        // alone while an operator uses it.
        unsafe {
            along_dim::binary::<T, i64, T>(&scores, &counts, &mut losses, 1, |row, counts, mut loss| {
                loss.fill(row_loss(row, counts).cast());
                Ok(())
            })?;
        }
        let losses = view::reshape(&losses, &sizes[..1])?;
        match reduction {
            Reduction::None => output.copy_from(&view::reshape(&losses, output.shape())?),
            _ => reduction.reduce(&losses, output),
        }
    })
}

/// How often each class of each row is among its labels, which end at the first negative number.
fn label_counts(target: &Tensor, sizes: [i64; 2]) -> Result<Tensor> {
    let target = view::reshape(target, &sizes)?;
    let mut counts = Tensor::allocate(&sizes, DType::Int64, target.device())?;
    let count = |labels: ArrayView1<'_, i64>, mut counts: ArrayViewMut1<'_, i64>| {
        counts.fill(0);
        let mut is_ended = false;
        for &label in interrupt::checked(labels.iter()) {
            is_ended |= label < 0;
            // What stands behind the last label has to be a class, too.
            let Some(count) = counts.get_mut(label.max(0) as usize) else {
                let classes = sizes[1];
                fail!(Runtime, "index {label} is out of bounds for dimension 1 with size {classes}")
            };
            *count += i64::from(!is_ended);
        }
        Ok(())
    };
    // SAFETY: the function uses nothing but its lanes, and threads that share a tensor leave it alone
    // while an operator uses it.
    unsafe { along_dim::unary(&target, &mut counts, 1, count)? };
    Ok(counts)
}

/// How much less than 1 a label is above another class.
#[inline(always)]
fn missing<T: Float>(label: T, other: T) -> T {
    other - label + T::ONE
}

/// By how much each class that is no label is not 1 below each one that is, over the number of classes.
fn row_loss<T: Element + Float>(scores: ArrayView1<'_, T>, counts: ArrayView1<'_, i64>) -> f64 {
    let mut sum = 0.0;
    for (&label, &times) in scores.iter().zip(counts) {
        if times == 0 {
            continue;
        }
        interrupt::check();
        let mut missed = 0.0;
        for (&other, &count) in scores.iter().zip(counts) {
            let below = missing(label, other);
            if count == 0 && (below > T::ZERO || Ordered::is_nan(below)) {
                missed += below.as_f64();
            }
        }
        sum += missed * times as f64;
    }
    sum / scores.len() as f64
}

#[native_op(multilabel_margin_loss_backward.grad_input, rule)]
fn multilabel_margin_loss_backward_rule(
    grad_output: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    is_target: &Tensor,
) -> Result<Spec> {
    let [samples, _] = check(self_, target)?;
    let count = if reduction == Reduction::None { samples } else { 1 };
    ensure!(
        grad_output.numel() as i64 == count && grad_output.dtype() == self_.dtype(),
        Runtime,
        "grad_output must be {count} numbers of {}, but is of {} and the shape {:?}",
        self_.dtype(),
        grad_output.dtype(),
        grad_output.shape()
    );
    ensure!(
        is_target.shape() == target.shape(),
        Runtime,
        "inconsistent is_target size: {:?} for target of size: {:?}",
        is_target.shape(),
        target.shape()
    );
    let device = common_device(&[grad_output, self_, target, is_target])?;
    Ok(Spec::new(self_.shape(), self_.dtype(), device))
}

#[native_op(multilabel_margin_loss_backward.grad_input)]
fn multilabel_margin_loss_backward_grad_input(
    grad_output: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    _is_target: &Tensor,
    grad_input: &mut Tensor,
) -> Result<()> {
    let sizes = check(self_, target)?;
    let counts = label_counts(target, sizes)?;
    let scores = view::reshape(self_, &sizes)?;
    let total = if reduction == Reduction::Mean { sizes[0] * sizes[1] } else { sizes[1] };
    dispatch!(self_.dtype(), "multilabel_margin_loss", calculated floating, |T| {
        let mut slopes = Tensor::allocate(&sizes, T::DTYPE, self_.device())?;
        // SAFETY: the function uses nothing but its lanes, and threads that share a tensor leave it
        // alone while an operator uses it.
        unsafe { along_dim::binary::<T, i64, T>(&scores, &counts, &mut slopes, 1, row_slopes)? };
        let grad = view::reshape(&grad_output.to_dtype(T::DTYPE)?, &[grad_output.numel() as i64, 1])?;
        slopes.mul_(&grad.div_scalar(Scalar::Int(total))?)?;
        grad_input.copy_from(&view::reshape(&slopes, self_.shape())?)
    })
}

/// How many pairs with something missing each class raises, less those that it lowers.
fn row_slopes<T: Element + Float>(
    scores: ArrayView1<'_, T>,
    counts: ArrayView1<'_, i64>,
    mut slopes: ArrayViewMut1<'_, T>,
) -> Result<()> {
    slopes.fill(T::ZERO);
    for (at, (&label, &times)) in scores.iter().zip(counts).enumerate() {
        if times == 0 {
            continue;
        }
        interrupt::check();
        let times = T::constant(times as f64);
        let mut pairs = T::ZERO;
        for ((&other, &count), slope) in scores.iter().zip(counts).zip(&mut slopes) {
            if count == 0 && missing(label, other) > T::ZERO {
                *slope = *slope + times;
                pairs = pairs + times;
            }
        }
        slopes[at] = T::ZERO - pairs;
    }
    Ok(())
}

/// Of the gradient that the backward pass of a loss multiplies with its slopes.
#[gradient_helper]
pub(crate) fn multilabel_margin_loss_double_backward(
    grad: &Tensor,
    grad_output: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    is_target: &Tensor,
) -> Result<Tensor> {
    let ones = ops::ones_like::Default_::call(grad_output, None, None, None, None, None)?;
    let slopes = ops::multilabel_margin_loss_backward::Default_::call(
        &ones, self_, target, reduction, is_target,
    )?;
    let products = grad.mul(&slopes)?;
    let is_each = reduction == Reduction::None && self_.ndim() == 2;
    let sums = if is_each { products.sum_dim_intlist(Some(&[1]))? } else { products.sum()? };
    sums.reshape(grad_output.shape())
}
