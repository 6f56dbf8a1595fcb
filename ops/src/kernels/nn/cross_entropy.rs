//! The loss of a classifier.

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::{Result, Tensor, dispatch, ensure, iterate, view};

use super::loss::Reduction;
use crate::ops;

#[native_op(cross_entropy_loss)]
fn cross_entropy_loss(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
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
        return job.against_probabilities(target, Reduction::of(reduction)?);
    }
    let call = ops::nll_loss_nd::Default_::call;
    let loss = call(&job.logs, target, weight, reduction, ignore_index)?;
    if label_smoothing == 0.0 || loss.device().is_meta() {
        return Ok(loss);
    }
    let even = job.against_all(target, ignore_index, Reduction::of(reduction)?)?;
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
        if self.logs.device().is_meta() {
            return self.result(reduction);
        }
        let mut factors = Tensor::allocate(self.logs.shape(), self.logs.dtype(), target.device())?;
        let weight = self.weights()?;
        dispatch!(self.logs.dtype(), "cross_entropy_loss", calculated floating, |T| {
            let (keep, even) = (1.0 - self.smoothing, self.smoothing / self.classes());
            let (keep, even) = (keep as T, even as T);
            iterate::binary(target, &weight, &mut factors, |p: T, w: T| (p * keep + even) * w)
        })?;
        self.reduced(&self.over_classes(&factors)?, reduction)
    }

    /// The loss against all classes alike, but at targets that are ignored. The
    /// mean counts targets by their weights.
    fn against_all(&self, target: &Tensor, ignored: i64, reduction: Reduction) -> Result<Tensor> {
        let losses = self.over_classes(&self.weights()?)?;
        let targets = view::reshape(target, losses.shape())?;
        let mut kept = Tensor::allocate(losses.shape(), losses.dtype(), losses.device())?;
        let share = match reduction {
            Reduction::Mean => 1.0 / self.total_weight(&targets, ignored)?,
            Reduction::None | Reduction::Sum => 1.0,
        };
        dispatch!(losses.dtype(), "cross_entropy_loss", calculated floating, |T| {
            iterate::binary(&targets, &losses, &mut kept, |class: i64, loss: T| {
                if class == ignored { 0.0 } else { loss * share as T }
            })
        })?;
        let reduction = if reduction == Reduction::Mean { Reduction::Sum } else { reduction };
        self.reduced(&kept, reduction)
    }

    fn total_weight(&self, targets: &Tensor, ignored: i64) -> Result<f64> {
        let classes = targets.to_vec::<i64>()?;
        let counted = classes.iter().filter(|class| **class != ignored);
        let Some(weight) = self.weight else { return Ok(counted.count() as f64) };
        let weight = weight.to_vec::<f64>()?;
        // Classes out of range have been refused before.
        Ok(counted.filter_map(|&class| weight.get(class as usize)).sum())
    }

    /// `loss` and `even` in the proportion of the smoothing.
    fn mixed(&self, loss: &Tensor, even: &Tensor) -> Result<Tensor> {
        let mut out = Tensor::allocate(loss.shape(), loss.dtype(), loss.device())?;
        let (keep, spread) = (1.0 - self.smoothing, self.smoothing / self.classes());
        dispatch!(loss.dtype(), "cross_entropy_loss", calculated floating, |T| {
            iterate::binary(loss, even, &mut out, |loss: T, even: T| {
                loss * keep as T + even * spread as T
            })
        })?;
        Ok(out)
    }

    /// The weight of each class, in the place of the classes; 1 without weights.
    fn weights(&self) -> Result<Tensor> {
        let Some(weight) = self.weight else {
            return Tensor::from_scalar(1.into(), self.logs.dtype());
        };
        let mut shape = vec![1; self.logs.ndim()];
        shape[self.dim] = self.logs.shape()[self.dim];
        ensure!(
            weight.shape() == [shape[self.dim]],
            Runtime,
            "cross_entropy: weight tensor should be defined either for all or no classes"
        );
        view::reshape(weight, &shape)
    }

    /// The negative sum over all classes of logarithms times factors.
    fn over_classes(&self, factors: &Tensor) -> Result<Tensor> {
        let dims = DimSet::single(self.dim);
        let shape = dims.reduced_shape(self.logs.shape(), false);
        let mut out = Tensor::allocate(&shape, self.logs.dtype(), self.logs.device())?;
        dispatch!(self.logs.dtype(), "cross_entropy_loss", calculated floating, |T| {
            let dtype = <T as opwright_runtime::Element>::DTYPE;
            let mut terms = Tensor::allocate(self.logs.shape(), dtype, self.logs.device())?;
            iterate::binary(&self.logs, factors, &mut terms, |log: T, factor: T| log * factor)?;
            let fold = Fold {
                start: 0.0 as T,
                fold: |all, term: T| all - term,
                combine: |a, b| a + b,
                finish: |all| all,
            };
            reduce(&terms, dims, &mut out, fold)
        })?;
        Ok(out)
    }

    fn reduced(&self, losses: &Tensor, reduction: Reduction) -> Result<Tensor> {
        if reduction == Reduction::None {
            return Ok(losses.clone());
        }
        let mut out = Tensor::allocate(&[], losses.dtype(), losses.device())?;
        reduction.reduce(losses, &mut out)?;
        Ok(out)
    }

    /// What the result looks like.
    fn result(&self, reduction: Reduction) -> Result<Tensor> {
        let shape = match reduction {
            Reduction::None => DimSet::single(self.dim).reduced_shape(self.logs.shape(), false),
            Reduction::Mean | Reduction::Sum => Default::default(),
        };
        Tensor::allocate(&shape, self.logs.dtype(), self.logs.device())
    }
}
