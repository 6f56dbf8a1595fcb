//! Logarithms of sums of exponentials.

use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::{Result, Tensor, dispatch};

use super::space::reduced;
use crate::kernels::deliver::deliver;

/// `log(sum(exp(x)))` along `dim`, one or a list, without overflow. Integers
/// give the default dtype; of no elements the result is negative infinity.
///
/// ```python
/// >>> opwright.logsumexp(opwright.tensor([0.0, 0.0]), dim=0)
/// tensor(0.6931, dtype=float32, shape=())
/// ```
#[native_op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    explicit,
    variants = "function, method"
)]
fn logsumexp(self_: &Tensor, dim: &[i64], keepdim: bool) -> Result<Tensor> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let dtype = self_.dtype().to_floating();
    if dtype.is_complex_number() {
        return Err(dtype.unsupported("logsumexp"));
    }
    let mut out = reduced(self_, dims, keepdim, dtype).allocate()?;
    if !out.device().is_meta() {
        let input = self_.to_dtype(dtype)?;
        dispatch!(dtype, "logsumexp", floating, |T| logsumexp_into::<T>(&input, dims, &mut out))?;
    }
    Ok(out)
}

#[native_op(
    "logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
    explicit
)]
fn logsumexp_out(self_: &Tensor, dim: &[i64], keepdim: bool, out: &mut Tensor) -> Result<()> {
    deliver(&logsumexp(self_, dim, keepdim)?, out)
}

fn logsumexp_into<T: Float>(input: &Tensor, dims: DimSet, out: &mut Tensor) -> Result<()> {
    let fold = Fold {
        start: Exponentials::NONE,
        fold: |all: Exponentials, it: T| all.joined(Exponentials::of(it.cast())),
        combine: Exponentials::joined,
        finish: |all: Exponentials| T::cast_from(all.logarithm()),
    };
    reduce(input, dims, out, fold)
}

/// A sum of exponentials: `sum * exp(greatest)`.
#[derive(Clone, Copy)]
pub(crate) struct Exponentials {
    greatest: f64,
    sum: f64,
}

impl Exponentials {
    /// No summand.
    pub(crate) const NONE: Exponentials = Exponentials { greatest: f64::NEG_INFINITY, sum: 0.0 };

    /// The sum of both.
    pub(crate) fn joined(self, other: Exponentials) -> Exponentials {
        // The difference of equal infinities would not be a number.
        if self.greatest == other.greatest {
            return Exponentials { greatest: self.greatest, sum: self.sum + other.sum };
        }
        let (low, high) =
            if self.greatest <= other.greatest { (self, other) } else { (other, self) };
        let scale = (low.greatest - high.greatest).exp();
        Exponentials { greatest: high.greatest, sum: high.sum + low.sum * scale }
    }

    /// One exponential.
    pub(crate) fn of(exponent: f64) -> Exponentials {
        Exponentials { greatest: exponent, sum: 1.0 }
    }

    /// The logarithm of the sum.
    pub(crate) fn logarithm(self) -> f64 {
        self.greatest + self.sum.ln()
    }
}
