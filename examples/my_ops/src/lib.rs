//! A Python module with operators of its own.

use opwright::native_op;
use opwright::runtime::dtype::Float;
use opwright::runtime::{DType, Result, Scalar, Spec, Tensor, dispatch, iterate};

pub(crate) mod compiled;
#[cfg(feature = "ops")]
pub(crate) mod composed;
pub(crate) mod forms;
pub(crate) mod gradients;
pub(crate) mod interval;
pub(crate) mod quantizer;

opwright::module!(
    my_ops,
    overloads =
        [compiled::mean_of, compiled::mean_of_integers, compiled::split, compiled::halvings,],
    casts = [compiled::middle, compiled::has_numbers, compiled::just],
);
#[cfg(feature = "c")]
opwright::c_library!(my_ops);

#[cfg(test)]
mod tests;

/// The kernel of both overloads of `hypotenuse`: what allocates, broadcasts and checks follows
/// from the rule that the entry names.
#[native_op(hypotenuse.out)]
fn hypotenuse_out(x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    dispatch!(out.dtype(), "hypotenuse", floating, |T| iterate::binary(x, y, out, hypot::<T>))
}

fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

/// Wraps every element into the range from zero up to `period`.
#[native_op("wrap_around(Tensor self, float period=1.0) -> Tensor", method)]
fn wrap_around(self_: &Tensor, period: f64) -> Result<Tensor> {
    let mut out = Spec::elementwise(&[self_])?.allocate()?;
    dispatch!(out.dtype(), "wrap_around", floating, |T| {
        let period: T = Scalar::from(period).wrap();
        iterate::unary(self_, &mut out, |x: T| wrap(x, period))
    })?;
    Ok(out)
}

fn wrap<T: Float>(x: T, period: T) -> T {
    x - (x / period).floor() * period
}

/// How many elements lie within `radius` of zero.
#[native_op("count_within(Tensor x, *, float radius=1.0) -> int")]
fn count_within(x: &Tensor, radius: f64) -> Result<i64> {
    let x = x.to_dtype(DType::Float64)?;
    let count = x.array::<f64>()?.iter().filter(|it| it.abs() <= radius).count();
    Ok(count as i64)
}
