//! Numbers in place of those that are none.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Tensor, bf16, f16, iterate, view};

use super::calculate::calculate;

/// Each element, but `nan` for NaN (0 if left out), `posinf` and `neginf` for the
/// infinities (the greatest and the least finite number of the dtype).
///
/// ```python
/// >>> opwright.nan_to_num(
/// ...     opwright.tensor([float("nan"), float("inf"), 1.0]), nan=0.0, posinf=9.0
/// ... )
/// tensor([0., 9., 1.], dtype=float32, shape=(3,))
/// ```
#[native_op(
    "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
    key = CPU | Meta,
    method,
    tags = "pointwise"
)]
fn nan_to_num(
    self_: &Tensor,
    nan: Option<f64>,
    posinf: Option<f64>,
    neginf: Option<f64>,
) -> Result<Tensor> {
    let mut out = rule::elementwise(&[self_])?.allocate()?;
    replace(self_, [nan, posinf, neginf], &mut out)?;
    Ok(out)
}

#[native_op(
    "nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!)",
    key = CPU | Meta,
    method,
    tags = "pointwise"
)]
fn nan_to_num_(
    self_: &mut Tensor,
    nan: Option<f64>,
    posinf: Option<f64>,
    neginf: Option<f64>,
) -> Result<()> {
    replace(&self_.clone(), [nan, posinf, neginf], self_)
}

#[native_op(
    "nan_to_num.out(Tensor self, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor(a!) out) -> Tensor(a!)",
    key = CPU | Meta,
    tags = "pointwise"
)]
fn nan_to_num_out(
    self_: &Tensor,
    nan: Option<f64>,
    posinf: Option<f64>,
    neginf: Option<f64>,
    out: &mut Tensor,
) -> Result<()> {
    let mut target = rule::elementwise(&[self_])?.target(out, &[self_])?;
    replace(self_, [nan, posinf, neginf], target.tensor())?;
    target.finish(out)
}

/// `by` stands for NaN, positive and negative infinity.
fn replace(self_: &Tensor, by: [Option<f64>; 3], out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    let dtype = self_.dtype();
    if dtype.is_complex_number() {
        for part in [view::real, view::imag] {
            replace(&part(self_)?, by, &mut part(out)?)?;
        }
        return Ok(());
    }
    if !dtype.is_floating() {
        return out.copy_from(self_);
    }
    let greatest = greatest_finite(dtype);
    let [nan, posinf, neginf] = [(by[0], 0.0), (by[1], greatest), (by[2], -greatest)]
        .map(|(given, otherwise)| given.unwrap_or(otherwise));
    calculate!(dtype, "nan_to_num", floating, |T| {
        let (nan, posinf, neginf) = (nan as T, posinf as T, neginf as T);
        iterate::unary(self_, out, |x: T| {
            if x.is_nan() {
                nan
            } else if x == T::INFINITY {
                posinf
            } else if x == T::NEG_INFINITY {
                neginf
            } else {
                x
            }
        })
    })
}

fn greatest_finite(dtype: DType) -> f64 {
    match dtype {
        DType::Float16 => f16::MAX.to_f64(),
        DType::BFloat16 => bf16::MAX.to_f64(),
        DType::Float32 => f32::MAX.into(),
        _ => f64::MAX,
    }
}
