//! Where the greatest and the least elements are.

use ndarray::ArrayView1;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Ordered};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::parallel::{Pointer, share};
use opwright_runtime::reduce::{Fold, reduce_indexed, reduce_indexed_pair};
use opwright_runtime::structured::Spec;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{DType, Error, Result, Tensor, dispatch, lanes, view};

use super::best::{Best, COLUMNS, best_of_columns, greatest_of, least_of};
use super::space::{NO_DIM, check_choice, check_ordered, one_or_all, reduced_exactly};

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
    if let Some(columns) = Columns::of(input, dims, (out.0.as_deref(), out.1)) {
        return dispatch!(input.dtype(), "argmax_argmin", ordered, |T| match extreme {
            Extreme::Greatest => columns.search::<T>(input, out, |a, b| T::gt(&a, &b)),
            Extreme::Least => columns.search::<T>(input, out, |a, b| T::lt(&a, &b)),
        });
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

/// Columns of contiguous elements, each with one result.
struct Columns {
    length: usize,
    /// So many lie side by side.
    stride: usize,
}

impl Columns {
    /// Those along one dimension of a contiguous tensor.
    fn of(
        input: &Tensor,
        dims: DimSet,
        (values, places): (Option<&Tensor>, &Tensor),
    ) -> Option<Columns> {
        let dim = (0..input.ndim()).find(|&dim| dims.contains(dim) && dims.size() == 1)?;
        let length = input.shape()[dim] as usize;
        let stride = input.shape()[dim + 1..].iter().product::<i64>() as usize;
        let fits = input.is_contiguous()
            && input.numel() > 0
            && stride >= WORTH_COLUMNS
            && u32::try_from(length).is_ok()
            // What is one block is one piece of work.
            && (stride > COLUMNS || input.numel() < WORTH_SHARING)
            && overlaps(places, input) == Overlap::No
            && values.is_none_or(|it| {
                overlaps(it, input) == Overlap::No && overlaps(it, places) == Overlap::No
            });
        fits.then_some(Columns { length, stride })
    }

    fn search<T: Element + Ordered>(
        &self,
        input: &Tensor,
        (values, places): (Option<&mut Tensor>, &mut Tensor),
        is_better: impl Fn(T, T) -> bool + Copy + Sync,
    ) -> Result<()> {
        let Columns { length, stride } = *self;
        let input = input.to_values::<T>()?;
        // SAFETY: the outputs are other memory, and threads that share a tensor do not write to it
        // while an operator reads it.
        let elements = unsafe { input.as_slice::<T>()? };
        let mut found_places = Tensor::allocate(places.shape(), DType::Int64, places.device())?;
        let mut found_values = Tensor::allocate(places.shape(), T::DTYPE, places.device())?;
        let to_places = found_places.as_mut_slice::<i64>()?;
        let count = to_places.len();
        let to_places = Pointer(to_places.as_mut_ptr());
        let to_values = Pointer(found_values.as_mut_slice::<T>()?.as_mut_ptr());
        let blocks = stride.div_ceil(COLUMNS);
        share(count / stride * blocks, length * stride.min(COLUMNS), &|range| {
            for index in range {
                let (outer, column) = (index / blocks, index % blocks * COLUMNS);
                let elements = &elements[outer * length * stride + column..];
                let width = COLUMNS.min(stride - column);
                let best = best_of_columns(elements, length, stride, width, is_better);
                for at in 0..width {
                    let place = (outer * stride + column + at) as isize;
                    // SAFETY: a result has one place, in one block, and each block is in one range.
                    unsafe {
                        to_places.at(place).write(best.places[at].into());
                        to_values.at(place).write(best.values[at]);
                    }
                }
            }
        });
        if let Some(values) = values {
            values.copy_from(&found_values)?;
        }
        places.copy_from(&found_places)
    }
}

/// So many elements are worth more threads than one.
const WORTH_SHARING: usize = 1 << 20;

/// Fewer columns are not worth a loop of their own.
const WORTH_COLUMNS: usize = 8;

/// Shorter runs are not worth a second pass.
const WORTH_SEARCHING: i64 = 32;

/// The input as runs of neighbours in memory, and the dimension along which
/// they are, if these are what is reduced.
pub(super) fn as_runs(input: &Tensor, dims: DimSet) -> Result<Option<(Tensor, usize)>> {
    let count = input.numel() as i64;
    if dims == DimSet::full(input.ndim())? && input.is_contiguous() && count >= WORTH_SEARCHING {
        return Ok(Some((view::reshape(input, &[count])?, 0)));
    }
    let is_run = |dim: usize| input.strides()[dim] == 1 && input.shape()[dim] >= WORTH_SEARCHING;
    let dim = (0..input.ndim()).find(|&dim| dims.contains(dim));
    Ok(dim.filter(|&dim| dims.size() == 1 && is_run(dim)).map(|dim| (input.clone(), dim)))
}

fn search(
    input: &Tensor,
    dim: usize,
    (values, indices): (Option<&mut Tensor>, &mut Tensor),
    extreme: Extreme,
) -> Result<()> {
    let shape = DimSet::single(dim).reduced_shape(input.shape(), true);
    let mut indices = view::reshape(indices, &shape)?;
    dispatch!(input.dtype(), "argmax_argmin", ordered, |T| {
        let best = |lane: ArrayView1<'_, T>| {
            let lane = lane.as_standard_layout();
            let lane = lane.as_slice().unwrap_or_default();
            match extreme {
                Extreme::Greatest => greatest_of(lane),
                Extreme::Least => least_of(lane),
            }
        };
        // SAFETY: the functions use nothing but their lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            match values {
                Some(values) => {
                    let mut values = view::reshape(values, &shape)?;
                    let out = (&mut values, &mut indices);
                    lanes::unary_pair(input, out, dim, |lane, mut value, mut place| {
                        let best = best(lane);
                        (value[0], place[0]) = (best.value, best.place as i64);
                        Ok(())
                    })
                }
                None => lanes::unary(input, &mut indices, dim, |lane, mut place| {
                    place[0] = best(lane).place as i64;
                    Ok(())
                }),
            }
        }
    })
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
