//! The loss of a classifier.

use opwright_macros::native_op;
use opwright_runtime::{DType, Reduction, Result, Tensor, ensure};

use crate::dtype_queries::to_dtype;
use crate::ops;

#[native_op(cross_entropy_loss)]
fn cross_entropy_loss(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore_index: i64,
    label_smoothing: f64,
) -> Result<Tensor> {
    ensure!(
        (0.0..=1.0).contains(&label_smoothing),
        Runtime,
        "label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}"
    );
    ensure!(self_.ndim() > 0, Value, "Expected 1 or more dimensions (got 0)");
    let dim = i64::from(self_.ndim() > 1);
    let logs = ops::log_softmax::int::call(self_, dim, None)?;
    let job = Job { logs, dim: dim as usize, weight, smoothing: label_smoothing };
    if target.shape() == self_.shape() {
        return job.against_probabilities(target, reduction);
    }
    let call = ops::nll_loss_nd::Default_::call;
    let loss = call(&job.logs, target, weight, reduction, ignore_index)?;
    if label_smoothing == 0.0 || loss.device().is_meta() {
        return Ok(loss);
    }
    let even = job.against_all(target, ignore_index, reduction)?;
    job.mixed(&loss, &even)
}

/// Logarithms of probabilities, and what they are compared with.
struct Job<'a> {
    logs: Tensor,
    /// The dimension of the classes.
    dim: usize,
    weight: Option<&'a Tensor>,
    /// The part of the target that is spread evenly over all classes.
    smoothing: f64,
}

impl Job<'_> {
    fn classes(&self) -> f64 {
        self.logs.shape()[self.dim] as f64
    }

    /// The loss if the target says how likely each class is.
    fn against_probabilities(&self, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
        ensure!(
            target.dtype().is_floating(),
            Runtime,
            "Expected floating point type for target with class probabilities, got {}",
            target.dtype().title()
        );
        let target = to_dtype(target, self.logs.dtype())?;
        let (keep, even) = (1.0 - self.smoothing, self.smoothing / self.classes());
        let spread = ops::add::Scalar::call(
            &ops::mul::Scalar::call(&target, keep.into())?,
            even.into(),
            1.into(),
        )?;
        let factors = match self.weights()? {
            Some(weights) => ops::mul::Tensor::call(&spread, &weights)?,
            None => spread,
        };
        // What is impossible and not wanted costs nothing: the limit of `p * log(p)` is 0.
        let is_unwanted = ops::eq::Scalar::call(&factors, 0.into())?;
        let is_impossible = ops::isinf::Default_::call(&self.logs)?;
        let is_left_out = ops::logical_and::Default_::call(&is_unwanted, &is_impossible)?;
        let logs = ops::masked_fill::Scalar::call(&self.logs, &is_left_out, 0.into())?;
        let losses = self.over_classes(&ops::mul::Tensor::call(&logs, &factors)?)?;
        match reduction {
            Reduction::None => Ok(losses),
            Reduction::Mean => ops::mean::Default_::call(&losses, None),
            Reduction::Sum => ops::sum::Default_::call(&losses, None),
        }
    }

    /// The loss against all classes alike, but at targets that are ignored. The
    /// mean counts targets by their weights.
    fn against_all(&self, target: &Tensor, ignored: i64, reduction: Reduction) -> Result<Tensor> {
        let losses = match self.weights()? {
            Some(weights) => self.over_classes(&ops::mul::Tensor::call(&self.logs, &weights)?)?,
            None => self.over_classes(&self.logs)?,
        };
        let targets = ops::reshape::Default_::call(target, losses.shape())?;
        let is_ignored = ops::eq::Scalar::call(&targets, ignored.into())?;
        let kept = ops::masked_fill::Scalar::call(&losses, &is_ignored, 0.into())?;
        match reduction {
            Reduction::None => Ok(kept),
            Reduction::Sum => ops::sum::Default_::call(&kept, None),
            Reduction::Mean => {
                let total = self.total_weight(&targets, &is_ignored)?;
                // The weight is in double precision, also where the losses have no dimensions and
                // promotion would take its dtype.
                let mean = ops::div::Tensor::call(&kept, &total)?;
                ops::sum::Default_::call(&to_dtype(&mean, kept.dtype())?, None)
            }
        }
    }

    /// The weights of the targets that are not ignored, added up.
    fn total_weight(&self, targets: &Tensor, is_ignored: &Tensor) -> Result<Tensor> {
        let Some(weight) = self.weight else {
            let counted = ops::logical_not::Default_::call(is_ignored)?;
            return ops::sum::Default_::call(&counted, Some(DType::Float64));
        };
        let flat = |tensor: &Tensor| ops::reshape::Default_::call(tensor, &[-1]);
        let (targets, is_ignored) = (flat(targets)?, flat(is_ignored)?);
        // Those that are ignored may be no classes.
        let classes = ops::masked_fill::Scalar::call(&targets, &is_ignored, 0.into())?;
        let weights = ops::index_select::Default_::call(weight, 0, &classes)?;
        let counted = ops::masked_fill::Scalar::call(&weights, &is_ignored, 0.into())?;
        ops::sum::Default_::call(&counted, Some(DType::Float64))
    }

    /// `loss` and `even` in the proportion of the smoothing.
    fn mixed(&self, loss: &Tensor, even: &Tensor) -> Result<Tensor> {
        let (keep, spread) = (1.0 - self.smoothing, self.smoothing / self.classes());
        ops::add::Tensor::call(&ops::mul::Scalar::call(loss, keep.into())?, even, spread.into())
    }

    /// The weight of each class, in the place of the classes, if there are weights.
    fn weights(&self) -> Result<Option<Tensor>> {
        let Some(weight) = self.weight else { return Ok(None) };
        let mut shape = vec![1; self.logs.ndim()];
        shape[self.dim] = self.logs.shape()[self.dim];
        ensure!(
            weight.shape() == [shape[self.dim]],
            Runtime,
            "cross_entropy: weight tensor should be defined either for all or no classes"
        );
        let weight = to_dtype(weight, self.logs.dtype())?;
        ops::reshape::Default_::call(&weight, &shape).map(Some)
    }

    /// The negative sum of terms over all classes.
    fn over_classes(&self, terms: &Tensor) -> Result<Tensor> {
        let sums = ops::sum::dim_IntList::call(terms, Some(&[self.dim as i64]), false, None)?;
        ops::neg::Default_::call(&sums)
    }
}
