//! Elements that come to one place along a dimension, combined: their sum, product, mean, greatest
//! or least, with or without what was there.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Ordered;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{
    DType, ReductionType, Result, RoundingMode, Scalar, ScatterReduction, Spec, Tensor, dispatch,
    ensure,
};

use super::scatter::{
    ScatterLoop, apply, assign, padded, part_within, repeated, rule, scattered_backward,
};
use crate::gradient::{quotient, to, wanted, zeros};
use crate::ops::{self, TensorOps};

#[native_op(scatter_reduce.two_out, rule)]
fn scatter_reduce_two_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    _reduce: ReductionType,
    _include_self: bool,
) -> Result<Spec> {
    ensure!(
        !self_.dtype().is_complex_number(),
        NotImplemented,
        "\"scatter_reduce\" not implemented for '{}'",
        self_.dtype().title()
    );
    rule(self_, dim, index, Some(src))
}

#[native_op(scatter_reduce.two_out)]
fn scatter_reduce_two_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: ReductionType,
    include_self: bool,
    out: &mut Tensor,
) -> Result<()> {
    let mut job = ScatterLoop::new(self_, dim, index, src, out)?;
    if !include_self {
        let src = job.replace_source(repeated(neutral(reduce, out.dtype()), index, out)?);
        assign(&job, out)?;
        job.replace_source(src);
    }
    combine(reduce, &job, out)?;
    if reduce == ReductionType::Mean {
        divide_by_counts(out, &mut job, index, include_self)?;
    }
    Ok(())
}

/// What changes nothing when it is combined with other elements.
pub(crate) fn neutral(reduce: ReductionType, dtype: DType) -> Scalar {
    match reduce {
        ReductionType::Sum | ReductionType::Mean => Scalar::Int(0),
        ReductionType::Prod => Scalar::Int(1),
        ReductionType::Amax if dtype.is_boolean() => Scalar::Bool(false),
        ReductionType::Amin if dtype.is_boolean() => Scalar::Bool(true),
        ReductionType::Amax if dtype.is_integral() => Scalar::Int(limits(dtype).0),
        ReductionType::Amin if dtype.is_integral() => Scalar::Int(limits(dtype).1),
        ReductionType::Amax => Scalar::Float(f64::NEG_INFINITY),
        ReductionType::Amin => Scalar::Float(f64::INFINITY),
    }
}

/// The least and the greatest number of an integer dtype.
fn limits(dtype: DType) -> (i64, i64) {
    let bits = 8 * dtype.size() as u32;
    let is_signed = matches!(dtype, DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64);
    match is_signed {
        true => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        false => (0, (i64::MAX >> (64 - bits)).wrapping_mul(2).wrapping_add(1)),
    }
}

fn combine(reduce: ReductionType, job: &ScatterLoop, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_boolean() {
        // A truth value may be any byte.
        return match reduce {
            ReductionType::Prod | ReductionType::Amin => {
                job.each::<u8>(out, |old, new| u8::from(old != 0 && new != 0))
            }
            _ => job.each::<u8>(out, |old, new| u8::from(old | new != 0)),
        };
    }
    match reduce {
        ReductionType::Sum | ReductionType::Mean => apply(ScatterReduction::Add, job, out),
        ReductionType::Prod => apply(ScatterReduction::Multiply, job, out),
        ReductionType::Amax => dispatch!(out.dtype(), "scatter_reduce", real, |T| {
            job.each::<T>(out, |old, new| if is_beyond(new, old) { new } else { old })
        }),
        ReductionType::Amin => dispatch!(out.dtype(), "scatter_reduce", real, |T| {
            job.each::<T>(out, |old, new| if is_below(new, old) { new } else { old })
        }),
    }
}

/// Whether the first is greater, or no number.
#[inline(always)]
fn is_beyond<T: Ordered>(one: T, other: T) -> bool {
    one > other || T::is_nan(one)
}

/// Whether the first is less, or no number.
#[inline(always)]
fn is_below<T: Ordered>(one: T, other: T) -> bool {
    one < other || T::is_nan(one)
}

/// How many elements came to each place, and 1 where none did.
fn counts(like: &Tensor, dim: i64, index: &Tensor, include_self: bool) -> Result<Tensor> {
    let first = i64::from(include_self);
    let dtype = Some(DType::Int64);
    let start =
        ops::full_like::Default_::call(like, Scalar::Int(first), dtype, None, None, None, None)?;
    let ones = ops::ones_like::Default_::call(index, dtype, None, None, None, None)?;
    start.scatter_add(dim, index, &ones)?.clamp_min(Scalar::Int(1))
}

fn divide_by_counts(
    out: &mut Tensor,
    job: &mut ScatterLoop,
    index: &Tensor,
    include_self: bool,
) -> Result<()> {
    let first = Scalar::Int(i64::from(include_self));
    let mut counts = Tensor::filled(out.shape(), first, DType::Int64, out.device())?;
    job.replace_source(repeated(Scalar::Int(1), index, &counts)?);
    apply(ScatterReduction::Add, job, &mut counts)?;
    if !include_self {
        counts = counts.clamp_min(Scalar::Int(1))?;
    }
    if out.dtype().is_floating() {
        return ops::div_::Tensor::call(out, &counts);
    }
    ops::div_::Tensor_mode::call(out, &counts, Some(RoundingMode::Floor))
}

#[native_op(index_reduce)]
fn index_reduce(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    reduce: ReductionType,
    include_self: bool,
) -> Result<Tensor> {
    let places = places_of_slices(self_, dim, index, source, reduce)?;
    ops::scatter_reduce::two::call(self_, dim, &places, source, reduce, include_self)
}

#[native_op(index_reduce_)]
fn index_reduce_(
    self_: &mut Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    reduce: ReductionType,
    include_self: bool,
) -> Result<()> {
    let places = places_of_slices(self_, dim, index, source, reduce)?;
    ops::scatter_reduce_::two::call(self_, dim, &places, source, reduce, include_self)
}

/// The index of each slice for every element of it.
fn places_of_slices(
    tensor: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    reduce: ReductionType,
) -> Result<Tensor> {
    ensure!(
        reduce != ReductionType::Sum,
        Runtime,
        "reduce argument must be either prod, mean, amax or amin, got sum"
    );
    ensure!(
        index.ndim() <= 1,
        Index,
        "Index is supposed to be a vector, but got dim: {}",
        index.ndim()
    );
    ensure!(
        matches!(index.dtype(), DType::Int32 | DType::Int64),
        Runtime,
        "Expected dtype int32/int64 for index but got: {}",
        index.dtype().title()
    );
    let along = wrap_dim(dim, tensor.ndim())?;
    let count = index.numel() as i64;
    let mut expected = tensor.shape().to_vec();
    if let Some(size) = expected.get_mut(along) {
        *size = count;
    }
    ensure!(
        source.shape() == expected && (tensor.ndim() > 0 || count == 1),
        Runtime,
        "source of shape {:?} does not fit: with {count} indices along dimension {along} of self of \
         shape {:?} its shape must be {expected:?}",
        source.shape(),
        tensor.shape()
    );
    check_places(index, tensor.shape().get(along).copied().unwrap_or(1))?;
    let mut shape = vec![1; tensor.ndim()];
    if let Some(size) = shape.get_mut(along) {
        *size = count;
    }
    to(index, DType::Int64)?.reshape(&shape)?.expand(&expected)
}

/// Fails for an index that there is not.
fn check_places(index: &Tensor, size: i64) -> Result<()> {
    if index.device().is_meta() || index.numel() == 0 {
        return Ok(());
    }
    let is_within = index.ge_scalar(Scalar::Int(0))?;
    let is_within = is_within.logical_and(&index.lt_scalar(Scalar::Int(size))?)?;
    ensure!(is_within.all()?.is_nonzero()?, Index, "index out of range in self");
    Ok(())
}

/// Of what stood at places, and of what was combined with it.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the operator has")]
pub(crate) fn scatter_reduce_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: ReductionType,
    include_self: bool,
    result: &Tensor,
    grad_input_mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    if index.numel() == 0 {
        let before = wanted(grad_input_mask, 0, || Ok(grad.clone()))?;
        return Ok((before, wanted(grad_input_mask, 1, || zeros(grad, src.shape()))?));
    }
    let call = Scattered { grad, self_, dim, index, src, reduce, include_self, result };
    let before = wanted(grad_input_mask, 0, || {
        let before = call.before()?;
        // What was there has no part in what came to its place.
        if include_self { Ok(before) } else { before.scatter_value(dim, index, Scalar::Int(0)) }
    })?;
    let scattered = wanted(grad_input_mask, 1, || call.scattered())?;
    Ok((before, scattered))
}

/// The arguments of a call that is differentiated.
struct Scattered<'a> {
    grad: &'a Tensor,
    self_: &'a Tensor,
    dim: i64,
    index: &'a Tensor,
    src: &'a Tensor,
    reduce: ReductionType,
    include_self: bool,
    result: &'a Tensor,
}

impl Scattered<'_> {
    /// Of what stood at the places.
    fn before(&self) -> Result<Tensor> {
        match self.reduce {
            ReductionType::Sum => Ok(self.grad.clone()),
            ReductionType::Mean => self.grad.div(&self.counts()?),
            ReductionType::Prod => {
                // The product of all others, by that of all without the zero that is there.
                let is_zero = self.self_.eq_scalar(Scalar::Int(0))?;
                let factors = self.self_.masked_fill(&is_zero, Scalar::Int(1))?;
                let products = self.reduced(&factors, self.src)?;
                self.grad.mul(&products)?.div(&factors)
            }
            ReductionType::Amax | ReductionType::Amin => {
                let (is_chosen, share) = self.shares()?;
                is_chosen.mul(&share)
            }
        }
    }

    /// Of what came to the places.
    fn scattered(&self) -> Result<Tensor> {
        let at_places = |tensor: &Tensor| tensor.gather(self.dim, self.index);
        let read = || part_within(self.src, self.index.shape());
        let found = match self.reduce {
            ReductionType::Sum => {
                return scattered_backward(self.grad, self.dim, self.index, self.src.shape());
            }
            ReductionType::Mean => at_places(&self.grad.div(&self.counts()?)?)?,
            ReductionType::Prod => self.factors(&read()?)?,
            ReductionType::Amax | ReductionType::Amin => {
                let (_, share) = self.shares()?;
                let is_chosen = to(&read()?.eq(&at_places(self.result)?)?, self.grad.dtype())?;
                is_chosen.mul(&at_places(&share)?)?
            }
        };
        padded(&found, self.src.shape())
    }

    fn counts(&self) -> Result<Tensor> {
        counts(self.grad, self.dim, self.index, self.include_self)
    }

    fn reduced(&self, self_: &Tensor, src: &Tensor) -> Result<Tensor> {
        let Scattered { dim, index, reduce, include_self, .. } = *self;
        ops::scatter_reduce::two::call(self_, dim, index, src, reduce, include_self)
    }

    /// Of each factor: `grad` times the others. Zeros are left out of the products, which are zero
    /// unless the factor itself is the only one.
    fn factors(&self, src: &Tensor) -> Result<Tensor> {
        let (dim, index) = (self.dim, self.index);
        let is_zero = src.eq_scalar(Scalar::Int(0))?;
        let factors = src.masked_fill(&is_zero, Scalar::Int(1))?;
        let products = self.grad.mul(&self.reduced(self.self_, &factors)?)?;
        let others = products.gather(dim, index)?.div(&factors)?;
        let own_zeros = to(&is_zero, self.self_.dtype())?;
        let all_zeros =
            zeros(&own_zeros, self.self_.shape())?.scatter_add(dim, index, &own_zeros)?;
        let has_other_zeros = all_zeros.gather(dim, index)?.ne(&own_zeros)?;
        others.masked_fill(&has_other_zeros, Scalar::Int(0))
    }

    /// Whether what stood at the places is the result, as 1 and 0, and the share of each element
    /// that is.
    fn shares(&self) -> Result<(Tensor, Tensor)> {
        let (dim, index, dtype) = (self.dim, self.index, self.grad.dtype());
        let mut is_before = to(&self.self_.eq(self.result)?, dtype)?;
        if !self.include_self {
            is_before = is_before.scatter_value(dim, index, Scalar::Int(0))?;
        }
        let read = part_within(self.src, index.shape())?;
        let is_scattered = to(&read.eq(&self.result.gather(dim, index)?)?, dtype)?;
        let count = is_before.scatter_add(dim, index, &is_scattered)?;
        let share = quotient(self.grad, &count)?;
        Ok((is_before, share))
    }
}
