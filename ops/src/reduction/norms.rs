//! Norms of vectors.

use num_complex::Complex;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::FloatOrComplex;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{
    DType, Element, Error, Result, Scalar, Tensor, bf16, dispatch, ensure, f16, view,
};

use super::space::reduced;
use crate::gradient::linalg_vector_norm_backward;
use crate::ops;

/// A number with an absolute value. Sums of those are `f64`.
pub(crate) trait Length: Element + FloatOrComplex {
    /// The absolute value.
    fn length(self) -> f64;

    /// Its square.
    fn squared_length(self) -> f64;
}

macro_rules! lengths {
    ($($ty:ty, |$it:ident| $length:expr, $squared:expr;)*) => {$(
        impl Length for $ty {
            #[inline(always)]
            fn length(self) -> f64 {
                let $it = self;
                $length
            }
            #[inline(always)]
            fn squared_length(self) -> f64 {
                let $it = self;
                $squared
            }
        }
    )*};
}

lengths! {
    f16, |x| x.as_f64().abs(), x.as_f64() * x.as_f64();
    bf16, |x| x.as_f64().abs(), x.as_f64() * x.as_f64();
    f32, |x| x.as_f64().abs(), x.as_f64() * x.as_f64();
    f64, |x| x.abs(), x * x;
    Complex<f32>, |x| x.as_complex128().norm(), x.as_complex128().norm_sqr();
    Complex<f64>, |x| x.norm(), x.norm_sqr();
}

/// How absolute values become a norm.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    /// How many are not zero.
    Count,
    Greatest,
    Least,
    /// The sum of powers, and the root of it.
    Power(f64),
}

impl Order {
    fn new(order: f64) -> Order {
        if order == 0.0 {
            Order::Count
        } else if order == f64::INFINITY {
            Order::Greatest
        } else if order == f64::NEG_INFINITY {
            Order::Least
        } else {
            Order::Power(order)
        }
    }

    fn start(self) -> f64 {
        if self == Order::Least { f64::INFINITY } else { 0.0 }
    }

    /// What one length adds.
    fn part(self, length: f64) -> f64 {
        match self {
            Order::Count => f64::from(u8::from(length != 0.0)),
            Order::Greatest | Order::Least => length,
            Order::Power(order) => length.powf(order),
        }
    }

    fn join(self, a: f64, b: f64) -> f64 {
        match self {
            Order::Count | Order::Power(_) => a + b,
            Order::Greatest => super::extremes::greater(a, b),
            Order::Least => super::extremes::lesser(a, b),
        }
    }

    fn finish(self, all: f64) -> f64 {
        match self {
            Order::Count | Order::Greatest | Order::Least => all,
            Order::Power(order) => all.powf(order.recip()),
        }
    }
}

/// Writes the norm of this order of the elements along `dims`.
pub(crate) fn norm_into(
    input: Source<'_>,
    order: f64,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let tensor = input.tensor().cloned();
    dispatch!(input.dtype(), "norm", calculated floating_or_complex, |T| {
        norm_of::<T, <T as FloatOrComplex>::Part>(input, order, dims, out)
    })?;
    let has_powers = matches!(Order::new(order), Order::Power(order) if order != 1.0);
    match tensor {
        Some(input) if has_powers && may_be_off(&input, order, out)? => {
            norm_of_shares(&input, order, dims, out)
        }
        _ => Ok(()),
    }
}

/// Whether powers may have become infinite or lost digits on the way to a norm.
fn may_be_off(input: &Tensor, order: f64, out: &Tensor) -> Result<bool> {
    let is_narrow = !matches!(input.dtype(), DType::Float64 | DType::Complex128);
    if (is_narrow && order.abs() <= 6.0) || input.numel() == 0 || !out.is_contiguous() {
        // Powers of these are usual numbers of `f64`.
        return Ok(false);
    }
    // A power so close to the ends of the scale has all digits.
    let most = 1e300_f64.powf(order.abs().recip());
    let is_off = |it: f64| it >= most || it <= most.recip();
    // SAFETY: the output is ours while the operator runs.
    Ok(unsafe {
        match out.dtype() {
            DType::Float64 => out.as_slice::<f64>()?.iter().any(|&it| is_off(it)),
            DType::Float32 => out.as_slice::<f32>()?.iter().any(|&it| is_off(it.into())),
            _ => out.to_vec::<f64>()?.into_iter().any(is_off),
        }
    })
}

/// The norm of shares of the greatest number, or of the least one if the order is negative, times
/// this.
fn norm_of_shares(input: &Tensor, order: f64, dims: DimSet, out: &mut Tensor) -> Result<()> {
    let dims: Vec<i64> =
        (0..input.ndim()).filter(|&it| dims.contains(it)).map(|it| it as i64).collect();
    let lengths = ops::abs::Default_::call(input)?;
    let lengths = lengths.to_dtype(DType::Float64)?;
    let most = match order > 0.0 {
        true => ops::amax::Default_::call(&lengths, &dims, true)?,
        false => ops::amin::Default_::call(&lengths, &dims, true)?,
    };
    // What is zero or infinite has no shares, and is the result.
    let is_end = ops::logical_or::Default_::call(
        &ops::eq::Scalar::call(&most, 0.0.into())?,
        &ops::eq::Scalar::call(&most, f64::INFINITY.into())?,
    )?;
    let divisor = ops::masked_fill::Scalar::call(&most, &is_end, 1.0.into())?;
    let shares = ops::div::Tensor::call(&lengths, &divisor)?;
    let powers = ops::pow::Tensor_Scalar::call(&shares, order.into())?;
    let sums = ops::sum::dim_IntList::call(&powers, Some(&dims), true, None)?;
    let roots = ops::pow::Tensor_Scalar::call(&sums, order.recip().into())?;
    let norms = ops::mul::Tensor::call(&roots, &divisor)?;
    let norms = ops::r#where::self_::call(&is_end, &most, &norms)?;
    out.copy_from(&view::reshape(&norms, out.shape())?.to_dtype(out.dtype())?)
}

fn norm_of<T: Length, P: Element>(
    input: Source<'_>,
    order: f64,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let (start, plus) = (0.0, |a: f64, b: f64| a + b);
    if order == 2.0 {
        let fold = |all: f64, it: T| all + it.squared_length();
        let finish = |all: f64| P::cast_from(all.sqrt());
        return reduce(input, dims, out, Fold { start, fold, combine: plus, finish });
    }
    if order == 1.0 {
        let fold = |all: f64, it: T| all + it.length();
        return reduce(input, dims, out, Fold { start, fold, combine: plus, finish: P::cast_from });
    }
    let order = Order::new(order);
    let fold = Fold {
        start: order.start(),
        fold: move |all: f64, it: T| order.join(all, order.part(it.length())),
        combine: move |a, b| order.join(a, b),
        finish: move |all| P::cast_from(order.finish(all)),
    };
    reduce(input, dims, out, fold)
}

/// What a norm along `dims` of elements of this dtype looks like.
pub(crate) fn norm_spec(
    input: &Tensor,
    order: f64,
    dims: DimSet,
    keepdim: bool,
    dtype: DType,
) -> Result<Spec> {
    ensure!(
        dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "Expected a floating point or complex tensor as input. Got {}",
        dtype.title()
    );
    let empty =
        input.shape().iter().enumerate().find(|&(dim, &size)| dims.contains(dim) && size == 0);
    match empty {
        Some((dim, _)) if order < 0.0 || order == f64::INFINITY => Err(no_identity(order, dim)),
        _ => Ok(reduced(input, dims, keepdim, dtype.to_real())),
    }
}

#[cold]
fn no_identity(order: f64, dim: usize) -> Error {
    Error::runtime(format_args!(
        "cannot compute the {order} norm on the dimension {dim} because this dimension is empty \
         and the operation does not have an identity"
    ))
}

/// The order that a caller gave, or 2.
pub(crate) fn order_of(p: Option<Scalar>) -> Result<f64> {
    p.map_or(Ok(2.0), Scalar::to_f64)
}

#[native_op(norm.out, rule)]
fn norm_rule(self_: &Tensor, p: Option<Scalar>, dim: &[i64], keepdim: bool) -> Result<Spec> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    norm_spec(self_, order_of(p)?, dims, keepdim, self_.dtype())
}

#[native_op(norm.out)]
fn norm_out(
    self_: Source<'_>,
    p: Option<Scalar>,
    dim: &[i64],
    _keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    norm_into(self_, order_of(p)?, dims, out)
}

#[native_op(norm.dtype_out, rule)]
fn norm_dtype_rule(
    self_: &Tensor,
    p: Option<Scalar>,
    dim: &[i64],
    keepdim: bool,
    dtype: DType,
) -> Result<Spec> {
    check_cast(self_.dtype(), dtype)?;
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    norm_spec(self_, order_of(p)?, dims, keepdim, dtype)
}

#[native_op(norm.dtype_out)]
fn norm_dtype_out(
    self_: Source<'_>,
    p: Option<Scalar>,
    dim: &[i64],
    _keepdim: bool,
    dtype: DType,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    norm_into(self_.into_dtype(dtype)?, order_of(p)?, dims, out)
}

/// A norm of complex numbers is computed with complex numbers.
pub(crate) fn check_cast(from: DType, to: DType) -> Result<()> {
    ensure!(
        to.is_complex_number() || !from.is_complex_number(),
        Runtime,
        "dtype should be complex for complex inputs, but got {}",
        to.title()
    );
    Ok(())
}

/// Of norms along dimensions; without a list along all.
#[gradient_helper]
pub(crate) fn norm_dim_backward(
    grad: &Tensor,
    self_: &Tensor,
    p: Option<Scalar>,
    result: &Tensor,
    dim: &[i64],
    keepdim: bool,
) -> Result<Tensor> {
    let p = p.unwrap_or(Scalar::Int(2));
    linalg_vector_norm_backward(grad, self_, p, result, Some(dim), keepdim)
}
