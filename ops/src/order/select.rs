//! Elements at certain places of the order.

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::geometry::{DimSet, Dims, wrap_dim};
use opwright_runtime::structured::Spec;
use opwright_runtime::{Error, Result, Scalar, Tensor, along_dim, dispatch, ensure, view};

use super::rank::{Extent, Order, Ranks, order_lane};
use super::sort::{order_into, ordered_pair};

#[native_op(topk.values, rule)]
fn topk_rule(
    self_: &Tensor,
    k: i64,
    dim: i64,
    _largest: bool,
    _sorted: bool,
) -> Result<(Spec, Spec)> {
    let size = length(self_, dim)?;
    ensure!((0..=size).contains(&k), Runtime, "selected index k out of range");
    ordered_pair("topk", self_, &with_size(self_, dim, k)?)
}

/// The size along `dim`; a tensor without dimensions has one element there.
fn length(tensor: &Tensor, dim: i64) -> Result<i64> {
    let dim = wrap_dim(dim, tensor.ndim())?;
    Ok(tensor.shape().get(dim).copied().unwrap_or(1))
}

fn with_size(tensor: &Tensor, dim: i64, size: i64) -> Result<Dims> {
    let mut shape = Dims::from_slice(tensor.shape());
    if let Some(slot) = shape.get_mut(wrap_dim(dim, tensor.ndim())?) {
        *slot = size;
    }
    Ok(shape)
}

#[native_op(topk.values)]
fn topk_values(
    self_: &Tensor,
    k: i64,
    dim: i64,
    largest: bool,
    _sorted: bool,
    values: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    // A tensor without dimensions gives one that has its element, even for `k = 0`.
    let count = if self_.ndim() == 0 { 1 } else { k as usize };
    order_into(self_, dim, Order::new(largest), Extent::First(count), (values, indices))
}

#[native_op(kthvalue.values, rule)]
fn kthvalue_rule(self_: &Tensor, k: i64, dim: i64, keepdim: bool) -> Result<(Spec, Spec)> {
    let size = length(self_, dim)?;
    check_not_empty(size, dim)?;
    ensure!((1..=size).contains(&k), Runtime, "selected index k out of range");
    let dims = DimSet::new(&[dim], self_.ndim())?;
    ordered_pair("kthvalue", self_, &dims.reduced_shape(self_.shape(), keepdim))
}

#[native_op(kthvalue.values)]
fn kthvalue_values(
    self_: &Tensor,
    k: i64,
    dim: i64,
    keepdim: bool,
    values: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let place = Place::At(k as usize - 1);
    choose_into(self_, dim, keepdim, place, (values, indices))
}

fn check_not_empty(size: i64, dim: i64) -> Result<()> {
    ensure!(size > 0, Index, "Expected reduction dim {dim} to have non-zero size.");
    Ok(())
}

/// Which element of a lane is chosen.
#[derive(Clone, Copy)]
enum Place {
    /// The one at this place in ascending order.
    At(usize),
    /// The one in the middle, the lower of two; not a number if there is one.
    Middle,
    /// The one in the middle of those that are numbers.
    MiddleNumber,
}

/// Writes one element of each lane, and where it is.
fn choose_into(
    input: &Tensor,
    dim: i64,
    keepdim: bool,
    place: Place,
    (values, indices): (&mut Tensor, &mut Tensor),
) -> Result<()> {
    let dim = wrap_dim(dim, input.ndim())?;
    // Lanes of one element, if the outputs have lost the dimension.
    let kept = |out: &Tensor| {
        if keepdim || input.ndim() == 0 { Ok(out.clone()) } else { view::unsqueeze(out, dim) }
    };
    let (mut values, mut indices) = (kept(values)?, kept(indices)?);
    dispatch!(input.dtype(), "select", ordered, |T| {
        // SAFETY: the function uses nothing but its lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            along_dim::unary_pair(
                input,
                (&mut values, &mut indices),
                dim,
                |lane: ArrayView1<'_, T>, mut value, mut index| {
                    let chosen = choose(Ranks::of::<T>(lane), place)?;
                    (value[0], index[0]) = (lane[chosen], chosen as i64);
                    Ok(())
                },
            )
        }
    })
}

fn choose(ranks: Ranks<'_>, place: Place) -> Result<usize> {
    let is_number = |it: &u64| Some(*it) != ranks.not_a_number;
    let place = match place {
        Place::At(place) => place,
        Place::Middle if ranks.not_a_number.is_none() => (ranks.len() - 1) / 2,
        Place::Middle => match ranks.all(0).position(|it| !is_number(&it)) {
            Some(index) => return Ok(index),
            None => (ranks.len() - 1) / 2,
        },
        Place::MiddleNumber => {
            let numbers = ranks.all(0).filter(is_number).count();
            numbers.saturating_sub(1) / 2
        }
    };
    let mut chosen = 0;
    order_lane(ranks, Order::Ascending, Extent::Place(place), &mut |_, index| chosen = index)?;
    Ok(chosen)
}

#[native_op(median)]
fn median(self_: &Tensor) -> Result<Tensor> {
    whole_median(self_, Place::Middle)
}

#[native_op(median.dim)]
fn median_dim(self_: &Tensor, dim: i64, keepdim: bool) -> Result<(Tensor, Tensor)> {
    median_along(self_, dim, keepdim, Place::Middle)
}

#[native_op(nanmedian)]
fn nanmedian(self_: &Tensor) -> Result<Tensor> {
    whole_median(self_, Place::MiddleNumber)
}

#[native_op(nanmedian.dim)]
fn nanmedian_dim(self_: &Tensor, dim: i64, keepdim: bool) -> Result<(Tensor, Tensor)> {
    median_along(self_, dim, keepdim, Place::MiddleNumber)
}

fn whole_median(input: &Tensor, place: Place) -> Result<Tensor> {
    if input.numel() > 0 {
        let flat = view::reshape(input, &[-1])?;
        return median_along(&flat, 0, false, place).map(|(values, _)| values);
    }
    let dtype = input.dtype();
    if dtype.is_floating() {
        return Tensor::filled(&[], Scalar::Float(f64::NAN), dtype, input.device());
    }
    Err(Error::runtime("there is no median of no elements"))
}

fn median_along(input: &Tensor, dim: i64, keepdim: bool, place: Place) -> Result<(Tensor, Tensor)> {
    check_not_empty(length(input, dim)?, dim)?;
    let dims = DimSet::new(&[dim], input.ndim())?;
    let shape = dims.reduced_shape(input.shape(), keepdim);
    let (values, indices) = ordered_pair("median", input, &shape)?;
    let (mut values, mut indices) = (values.allocate()?, indices.allocate()?);
    if !values.device().is_meta() {
        choose_into(input, dim, keepdim, place, (&mut values, &mut indices))?;
    }
    Ok((values, indices))
}
