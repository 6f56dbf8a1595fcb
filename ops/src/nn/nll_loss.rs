//! Negative log-likelihood loss.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, Error, Reduction, Result, Scalar, Spec, Tensor, buffer, dispatch, ensure, view,
};

use crate::gradient::{kept_where, to};
use crate::ops::{self, TensorOps};

#[native_op(nll_loss_forward.output, rule)]
fn nll_loss_rule(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    _ignore_index: i64,
) -> Result<(Spec, Spec)> {
    ensure!(matches!(self_.ndim(), 1 | 2), Runtime, "input tensor should be 1D or 2D");
    ensure!(
        target.ndim() <= 1 && (self_.ndim() == 2 || target.numel() == 1),
        Runtime,
        "0D or 1D target tensor expected, multi-target not supported"
    );
    let classes = self_.shape()[self_.ndim() - 1];
    ensure!(
        self_.ndim() == 1 || target.shape() == &self_.shape()[..1],
        Runtime,
        "size mismatch (got input: {:?}, target: {:?})",
        self_.shape(),
        target.shape()
    );
    check_dtypes(self_, target, weight)?;
    if let Some(weight) = weight {
        ensure!(
            weight.shape() == [classes],
            Runtime,
            "weight tensor should be defined either for all {classes} classes or no classes but \
             got weight tensor of shape: {:?}",
            weight.shape()
        );
    }
    let device = common_device(&[self_, target])?;
    let is_each = reduction == Reduction::None && self_.ndim() == 2;
    let shape = if is_each { target.shape() } else { &[] };
    Ok((Spec::new(shape, self_.dtype(), device), Spec::new(&[], self_.dtype(), device)))
}

fn check_dtypes(input: &Tensor, target: &Tensor, weight: Option<&Tensor>) -> Result<()> {
    if !input.dtype().is_floating() {
        return Err(input.dtype().unsupported("nll_loss"));
    }
    ensure!(
        matches!(target.dtype(), DType::Int64 | DType::UInt8),
        Runtime,
        "expected scalar type Long but found {} for target",
        target.dtype().title()
    );
    ensure!(
        weight.is_none_or(|it| it.dtype() == input.dtype()),
        Runtime,
        "expected weight to have dtype {}, as the input has",
        input.dtype()
    );
    Ok(())
}

#[native_op(nll_loss_forward.output)]
fn nll_loss_forward_output(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
    output: &mut Tensor,
    total_weight: &mut Tensor,
) -> Result<()> {
    let classes = self_.shape()[self_.ndim() - 1];
    let rows = view::reshape(self_, &[target.numel() as i64, classes])?;
    let targets = target.to_vec::<i64>()?;
    dispatch!(self_.dtype(), "nll_loss", calculated floating, |T| {
        let weight = weight.map(Tensor::to_vec::<T>).transpose()?;
        let (losses, total) = losses::<T>(&rows, &targets, weight.as_deref(), ignore_index)?;
        let result = match reduction {
            Reduction::None => Tensor::from_slice(output.shape(), &losses)?,
            Reduction::Mean => Tensor::from_slice(&[], &[sum_of(&losses)? / total])?,
            Reduction::Sum => Tensor::from_slice(&[], &[sum_of(&losses)?])?,
        };
        output.copy_from(&result)?;
        let total = if reduction == Reduction::None { 0.0 } else { total };
        total_weight.copy_from(&Tensor::from_slice(&[], &[total])?)
    })
}

/// The sum of numbers in double precision, by a tree of partial sums: one by one a long sum of
/// `float32` would stop at 2^24.
fn sum_of<T: Element>(numbers: &[T]) -> Result<f64> {
    let numbers = Tensor::from_slice(&[numbers.len() as i64], numbers)?;
    let mut sum = Tensor::allocate(&[], DType::Float64, numbers.device())?;
    let fold = Fold {
        start: 0.0,
        fold: |all, it: T| all + it.as_f64(),
        combine: |a, b| a + b,
        finish: |all: f64| all,
    };
    reduce(&numbers, DimSet::full(1)?, &mut sum, fold)?;
    Ok(sum.to_vec::<f64>()?[0])
}

/// For each row the loss of its class, and the weights of all of them together.
fn losses<T: Element + Float>(
    rows: &Tensor,
    targets: &[i64],
    weight: Option<&[T]>,
    ignore_index: i64,
) -> Result<(Vec<T>, f64)> {
    let rows = rows.to_dtype(T::DTYPE)?;
    // SAFETY: nothing is written below, and threads that share a tensor do not
    // write to it while an operator reads it.
    let rows = unsafe { rows.array_view::<T>()? };
    let mut weights = buffer::with_capacity(weight.map_or(0, |_| targets.len()))?;
    let mut counted: usize = 0;
    let mut losses = buffer::with_capacity(targets.len())?;
    for (row, &class) in targets.iter().enumerate() {
        if class == ignore_index {
            losses.push(T::ZERO);
            continue;
        }
        let value = usize::try_from(class).ok().and_then(|class| rows.get([row, class]));
        let Some(&value) = value else { return Err(no_class(class)) };
        let weight = weight.map(|it| it[class as usize]);
        // What is certain costs zero, not zero with a sign.
        losses.push(T::ZERO - value * weight.unwrap_or(T::ONE));
        weights.extend(weight);
        counted += 1;
    }
    let total = if weight.is_some() { sum_of(&weights)? } else { counted as f64 };
    Ok((losses, total))
}

#[cold]
fn no_class(class: i64) -> Error {
    Error::out_of_range(format_args!("Target {class} is out of bounds."))
}

#[native_op(nll_loss)]
fn nll_loss(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
) -> Result<Tensor> {
    let call = crate::ops::nll_loss_forward::Default_::call;
    Ok(call(self_, target, weight, reduction, ignore_index)?.0)
}

#[native_op(nll_loss_nd)]
fn nll_loss_nd(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Value, "Expected 1 or more dimensions (got 0)");
    let has_rows = self_.ndim() > 1;
    ensure!(
        !has_rows || target.ndim() > 0 && self_.shape()[0] == target.shape()[0],
        Value,
        "Expected input batch_size ({}) to match target batch_size ({}).",
        self_.shape()[0],
        target.shape().first().copied().unwrap_or(0)
    );
    if self_.ndim() <= 2 {
        return ops::nll_loss::Default_::call(self_, target, weight, reduction, ignore_index);
    }
    let expected = [&self_.shape()[..1], &self_.shape()[2..]].concat();
    ensure!(
        target.shape() == expected,
        Runtime,
        "Expected target size {expected:?}, got {:?}",
        target.shape()
    );
    // The classes last, and everything else as rows.
    let order: Vec<i64> = (0..self_.ndim() as i64).filter(|&dim| dim != 1).chain([1]).collect();
    let rows = self_.permute(&order)?.reshape(&[target.numel() as i64, self_.shape()[1]])?;
    let target = target.reshape(&[-1])?;
    let loss = ops::nll_loss::Default_::call(&rows, &target, weight, reduction, ignore_index)?;
    if reduction == Reduction::None { loss.reshape(&expected) } else { Ok(loss) }
}

#[native_op(nll_loss2d)]
fn nll_loss2d(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
) -> Result<Tensor> {
    ensure!(
        self_.ndim() == 4 && target.ndim() == 3,
        Runtime,
        "only batches of spatial inputs (4D tensors) and targets (3D tensors) are supported, got \
         {:?} and {:?}",
        self_.shape(),
        target.shape()
    );
    ops::nll_loss_nd::Default_::call(self_, target, weight, reduction, ignore_index)
}

/// `-weight[target] * grad` at the target of each row that is not ignored, and 0 elsewhere; over
/// the sum of these weights if the loss is a mean.
#[gradient_helper]
pub(crate) fn nll_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
    total_weight: &Tensor,
) -> Result<Tensor> {
    let rows = &self_.shape()[..self_.ndim().saturating_sub(1)];
    let target = to(target, DType::Int64)?.reshape(rows)?;
    let counts = target.ne_scalar(Scalar::Int(ignore_index))?;
    let class = kept_where(&target, &counts)?;
    let share = match reduction {
        Reduction::Mean => grad.div(total_weight)?,
        Reduction::None | Reduction::Sum => grad.clone(),
    };
    let share = match weight {
        Some(weight) => share.mul(&weight.take(&class)?)?,
        None => share.expand_as(&class)?,
    };
    let at_target = kept_where(&share.neg()?, &counts)?.unsqueeze(-1)?;
    let zeros = ops::zeros_like::Default_::call(self_, None, None, None, None, None)?;
    ops::scatter::src::call(&zeros, -1, &class.unsqueeze(-1)?, &at_target)
}
