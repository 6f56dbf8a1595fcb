//! Reduction of losses: one number, or one for each element.

use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::structured::rule;
use opwright_runtime::{Reduction, Result, Spec, Tensor, dispatch, warning};

use crate::ops::TensorOps;

/// Warns where each prediction meets more than its own target.
pub(super) fn warn_of_stretching(inputs: &[&Tensor], what: &str) {
    if let [input, target, ..] = inputs
        && input.shape() != target.shape()
    {
        warning::warn(format_args!(
            "{what}: the input has shape {:?} and the target {:?}, which are different: they are \
             broadcast, which is most likely not what was meant; give both the same shape",
            input.shape(),
            target.shape()
        ));
    }
}

/// What remains of losses that operators have calculated.
pub(super) fn reduced_losses(losses: Tensor, reduction: Reduction) -> Result<Tensor> {
    match reduction {
        Reduction::None => Ok(losses),
        Reduction::Mean => losses.mean(),
        Reduction::Sum => losses.sum(),
    }
}

/// How losses are reduced.
pub(super) trait ReduceLosses: Sized {
    /// What the loss of broadcast floating tensors looks like.
    ///
    /// # Errors
    ///
    /// `NotImplemented` for other dtypes, `Runtime` if the tensors do not go
    /// together.
    fn spec(self, inputs: &[&Tensor], what: &str) -> Result<Spec>;

    /// What remains of losses that look like this.
    ///
    /// # Errors
    ///
    /// `NotImplemented` if they are not floating numbers.
    fn of_losses(self, spec: Spec, what: &str) -> Result<Spec>;

    /// Lets `kernel` write the losses of elements of this shape, and reduces them
    /// into `out`.
    fn write(
        self,
        shape: &[i64],
        out: &mut Tensor,
        kernel: impl FnOnce(&mut Tensor) -> Result<()>,
    ) -> Result<()>;

    /// The mean or the sum of all elements.
    fn reduce(self, losses: &Tensor, out: &mut Tensor) -> Result<()>;
}

impl ReduceLosses for Reduction {
    fn spec(self, inputs: &[&Tensor], what: &str) -> Result<Spec> {
        warn_of_stretching(inputs, what);
        self.of_losses(rule::elementwise(inputs)?, what)
    }

    fn of_losses(self, spec: Spec, what: &str) -> Result<Spec> {
        if !spec.dtype().is_floating() {
            return Err(spec.dtype().unsupported(what));
        }
        Ok(match self {
            Reduction::None => spec,
            Reduction::Mean | Reduction::Sum => {
                Spec::new(&[], spec.dtype(), spec.device()).casting()
            }
        })
    }

    fn write(
        self,
        shape: &[i64],
        out: &mut Tensor,
        kernel: impl FnOnce(&mut Tensor) -> Result<()>,
    ) -> Result<()> {
        if self == Reduction::None {
            return kernel(out);
        }
        let mut losses = Tensor::allocate(shape, out.dtype(), out.device())?;
        kernel(&mut losses)?;
        self.reduce(&losses, out)
    }

    fn reduce(self, losses: &Tensor, out: &mut Tensor) -> Result<()> {
        let count = if self == Reduction::Mean { losses.numel() as f64 } else { 1.0 };
        dispatch!(out.dtype(), "loss", calculated floating, |T| {
            let fold = Fold {
                start: 0.0 as T,
                fold: |all, it: T| all + it,
                combine: |a, b| a + b,
                finish: |all| all / count as T,
            };
            reduce(losses, DimSet::full(losses.ndim())?, out, fold)
        })
    }
}
