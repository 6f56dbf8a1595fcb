//! Where the greatest and the least elements are.

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::interrupt::checked;
use opwright_runtime::reduce::{Fold, reduce_indexed, reduce_indexed_pair};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Error, Result, Tensor, dispatch, lanes, view};

use super::extremes::{greatest_into, least_into};
use super::space::{NO_DIM, check_choice, check_ordered, one_or_all, reduced_exactly};

/// The best element so far, and where it is.
#[derive(Clone, Copy)]
struct Best<T> {
    value: T,
    place: usize,
}

impl<T: Ordered> Best<T> {
    /// No element; every other is better, or as good and before it.
    fn none(worst: T) -> Best<T> {
        Best { value: worst, place: usize::MAX }
    }

    /// The better of two; of equal ones the first. What is not a number is best.
    #[inline(always)]
    fn or(self, other: Best<T>, is_better: impl Fn(T, T) -> bool) -> Best<T> {
        let (a, b) = (self.value, other.value);
        let wins = match (a.is_not_a_number(), b.is_not_a_number()) {
            (false, false) => is_better(b, a) || (b == a && other.place < self.place),
            (true, true) => other.place < self.place,
            (_, b_wins) => b_wins,
        };
        if wins { other } else { self }
    }
}

/// Which elements are best.
#[derive(Clone, Copy)]
enum Extreme {
    Greatest,
    Least,
}

/// Writes where the best elements are, and if there is a tensor for them also
/// which they are.
fn choose(
    input: &Tensor,
    dims: DimSet,
    out: (Option<&mut Tensor>, &mut Tensor),
    extreme: Extreme,
) -> Result<()> {
    if let Some((input, dim)) = as_runs(input, dims)? {
        return search(&input, dim, out, extreme);
    }
    dispatch!(input.dtype(), "argmax_argmin", ordered, |T| match extreme {
        Extreme::Greatest => fold::<T>(input, dims, out, T::LOWEST, |a, b| T::gt(&a, &b)),
        Extreme::Least => fold::<T>(input, dims, out, T::HIGHEST, |a, b| T::lt(&a, &b)),
    })
}

/// Carries the place along with the value, in one pass.
fn fold<T: Element + Ordered>(
    input: &Tensor,
    dims: DimSet,
    (values, indices): (Option<&mut Tensor>, &mut Tensor),
    worst: T,
    is_better: impl Fn(T, T) -> bool + Copy + Sync,
) -> Result<()> {
    let start = Best::none(worst);
    let fold = move |all: Best<T>, value: T, place| all.or(Best { value, place }, is_better);
    let combine = move |a: Best<T>, b: Best<T>| a.or(b, is_better);
    match values {
        Some(values) => {
            let finish = |all: Best<T>| (all.value, all.place as i64);
            let fold = Fold { start, fold, combine, finish };
            reduce_indexed_pair(input, dims, (values, indices), fold)
        }
        None => {
            let finish = |all: Best<T>| all.place as i64;
            reduce_indexed(input, dims, indices, Fold { start, fold, combine, finish })
        }
    }
}

/// Shorter runs are not worth a second pass.
const WORTH_SEARCHING: i64 = 32;

/// The input as runs of neighbours in memory, and the dimension along which
/// they are, if these are what is reduced.
fn as_runs(input: &Tensor, dims: DimSet) -> Result<Option<(Tensor, usize)>> {
    let count = input.numel() as i64;
    if dims == DimSet::full(input.ndim())? && input.is_contiguous() && count >= WORTH_SEARCHING {
        return Ok(Some((view::reshape(input, &[count])?, 0)));
    }
    let is_run = |dim: usize| input.strides()[dim] == 1 && input.shape()[dim] >= WORTH_SEARCHING;
    let dim = (0..input.ndim()).find(|&dim| dims.contains(dim));
    Ok(dim.filter(|&dim| dims.size() == 1 && is_run(dim)).map(|dim| (input.clone(), dim)))
}

/// Finds the best values first and then where they are: both passes are loops
/// without branches, which together are faster than the one with an index.
fn search(
    input: &Tensor,
    dim: usize,
    (values, indices): (Option<&mut Tensor>, &mut Tensor),
    extreme: Extreme,
) -> Result<()> {
    let shape = DimSet::single(dim).reduced_shape(input.shape(), true);
    let mut best = match values {
        Some(values) => view::reshape(values, &shape)?,
        None => Tensor::allocate(&shape, input.dtype(), input.device())?,
    };
    match extreme {
        Extreme::Greatest => greatest_into(input.into(), DimSet::single(dim), &mut best)?,
        Extreme::Least => least_into(input.into(), DimSet::single(dim), &mut best)?,
    }
    let mut indices = view::reshape(indices, &shape)?;
    dispatch!(input.dtype(), "argmax_argmin", ordered, |T| {
        // SAFETY: the function uses nothing but its lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            lanes::binary(
                input,
                &best,
                &mut indices,
                dim,
                |lane, best: ArrayView1<'_, T>, mut place| {
                    place[0] = place_of(lane, best[0]) as i64;
                    Ok(())
                },
            )
        }
    })
}

/// How many elements are compared before anybody looks at the outcome.
const BLOCK: usize = 64;

/// Where an element is that is there.
fn place_of<T: Ordered>(lane: ArrayView1<'_, T>, best: T) -> usize {
    let is_best = |it: T| it == best || (it.is_not_a_number() && best.is_not_a_number());
    let Some(lane) = lane.as_slice() else {
        return checked(lane.iter()).position(|&it| is_best(it)).unwrap_or(0);
    };
    let has_best = |block: &[T]| block.iter().fold(false, |found, &it| found | is_best(it));
    let start = checked(lane.chunks(BLOCK)).position(has_best).unwrap_or(0) * BLOCK;
    start + lane[start..].iter().position(|&it| is_best(it)).unwrap_or(0)
}

/// Values and indices along one dimension.
#[native_op(max.dim_max, rule)]
fn pair_rule(self_: &Tensor, dim: i64, keepdim: bool) -> Result<(Spec, Spec)> {
    let dims = DimSet::new(&[dim], self_.ndim())?;
    check_ordered(self_)?;
    check_choice(self_, dims, true)?;
    let spec = reduced_exactly(self_, dims, keepdim, self_.dtype());
    Ok((spec.clone(), spec.with_dtype(DType::Int64)))
}

#[native_op(max.dim_max)]
fn max_dim(
    self_: &Tensor,
    dim: i64,
    _keepdim: bool,
    max: &mut Tensor,
    max_values: &mut Tensor,
) -> Result<()> {
    choose(self_, DimSet::new(&[dim], self_.ndim())?, (Some(max), max_values), Extreme::Greatest)
}

#[native_op(min.dim_min)]
fn min_dim(
    self_: &Tensor,
    dim: i64,
    _keepdim: bool,
    min: &mut Tensor,
    min_indices: &mut Tensor,
) -> Result<()> {
    choose(self_, DimSet::new(&[dim], self_.ndim())?, (Some(min), min_indices), Extreme::Least)
}

/// An index along one dimension, or into the flattened tensor.
#[native_op(argmax.out, rule)]
fn place_rule(self_: &Tensor, dim: Option<i64>, keepdim: bool) -> Result<Spec> {
    let dims = one_or_all(dim, self_.ndim())?;
    if self_.dtype().is_boolean() {
        return Err(self_.dtype().unsupported("argmax_argmin"));
    }
    check_ordered(self_)?;
    if self_.numel() == 0 && dim.is_none() {
        return Err(Error::out_of_range(NO_DIM));
    }
    check_choice(self_, dims, true)?;
    Ok(reduced_exactly(self_, dims, keepdim, DType::Int64))
}

#[native_op(argmax.out)]
fn argmax_out(self_: &Tensor, dim: Option<i64>, _keepdim: bool, out: &mut Tensor) -> Result<()> {
    choose(self_, one_or_all(dim, self_.ndim())?, (None, out), Extreme::Greatest)
}

#[native_op(argmin.out)]
fn argmin_out(self_: &Tensor, dim: Option<i64>, _keepdim: bool, out: &mut Tensor) -> Result<()> {
    choose(self_, one_or_all(dim, self_.ndim())?, (None, out), Extreme::Least)
}
