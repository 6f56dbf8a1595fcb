//! `argmax`, `argmin` and reductions with indices: where the greatest and the least elements are.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Integer, Ordered};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::parallel::{share, try_share};
use opwright_runtime::reduce::{Fold, reduce_indexed_pair};
use opwright_runtime::structured::Spec;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{DType, Error, Result, Tensor, view};

use super::argreduce::{ArgReduceLoops, COLUMNS, Extreme};
use super::runs::{Bytes, Runs, Target, values_of};
use super::space::{NO_DIM, check_choice, check_ordered, one_or_all, reduced_exactly};

/// Writes where the best elements are, and if there is a tensor for them also
/// which they are.
fn choose(
    input: &Tensor,
    dims: DimSet,
    (values, places): (Option<&mut Tensor>, &mut Tensor),
    extreme: Extreme,
) -> Result<()> {
    if are_apart(input, values.as_deref(), places) {
        if let Some((input, dim)) = as_runs(input, dims)? {
            return search(&input, dim, (values, Some(places)), extreme);
        }
        if let Some(columns) = Columns::of(input, dims) {
            return columns.search(input, (values, places), extreme);
        }
    }
    fold(input, dims, (places, values), extreme)
}

/// Whether no results share memory with other results or elements.
fn are_apart(input: &Tensor, values: Option<&Tensor>, places: &Tensor) -> bool {
    let is_apart = |a: &Tensor, b: &Tensor| overlaps(a, b) == Overlap::No;
    is_apart(places, input) && values.is_none_or(|it| is_apart(it, input) && is_apart(it, places))
}

/// Carries the place along with the value, in one pass.
fn fold(
    input: &Tensor,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    extreme: Extreme,
) -> Result<()> {
    let dtype = input.dtype();
    let is_least = matches!(extreme, Extreme::Least);
    if dtype.is_floating() {
        return match dtype {
            DType::Float64 => fold_keys(input, dims, out, move |it: f64| signed(it, is_least)),
            _ => fold_keys(input, dims, out, move |it: f32| signed(it, is_least)),
        };
    }
    let dtype = match dtype {
        DType::UInt8 => DType::Int8,
        DType::UInt16 => DType::Int16,
        DType::UInt32 => DType::Int32,
        DType::UInt64 => DType::Int64,
        dtype => dtype,
    };
    // What has no sign is ordered as what has one once the first bit is the other.
    let is_unsigned = dtype != input.dtype();
    let input = if is_unsigned { view::reinterpret(input, dtype)? } else { input.clone() };
    let mut values = out
        .1
        .map(|it| if is_unsigned { view::reinterpret(it, dtype) } else { Ok(it.clone()) })
        .transpose()?;
    let out = (out.0, values.as_mut());
    match dtype.size() {
        1 => fold_integers::<i8>(&input, dims, out, is_least, is_unsigned),
        2 => fold_integers::<i16>(&input, dims, out, is_least, is_unsigned),
        4 => fold_integers::<i32>(&input, dims, out, is_least, is_unsigned),
        _ => fold_integers::<i64>(&input, dims, out, is_least, is_unsigned),
    }
}

/// The number, or the negative one.
#[inline(always)]
fn signed<T: num_traits::Float>(number: T, is_negative: bool) -> T {
    if is_negative { -number } else { number }
}

/// [`fold`], of integers some bits of which are the other.
fn fold_integers<T: Element + Integer>(
    input: &Tensor,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    is_least: bool,
    is_unsigned: bool,
) -> Result<()> {
    let first = if is_unsigned { T::LOWEST } else { T::ZERO };
    let flipped = if is_least { !first } else { first };
    fold_keys(input, dims, out, move |it: T| it ^ flipped)
}

/// The best key so far, and where it is.
#[derive(Clone, Copy)]
struct Best<T> {
    key: T,
    place: usize,
}

impl<T: Ordered> Best<T> {
    /// The better of two; of equal ones the first. What is not a number is best.
    #[inline(always)]
    fn or(self, other: Best<T>) -> Best<T> {
        let (a, b) = (self.key, other.key);
        let wins = match (Ordered::is_nan(a), Ordered::is_nan(b)) {
            (false, false) => b > a || (b == a && other.place < self.place),
            (true, true) => other.place < self.place,
            (_, b_wins) => b_wins,
        };
        if wins { other } else { self }
    }
}

/// [`fold`] by keys, the greatest of which is best; the key of a key is the element.
fn fold_keys<T: Element + Ordered>(
    input: &Tensor,
    dims: DimSet,
    out: (&mut Tensor, Option<&mut Tensor>),
    key: impl Fn(T) -> T + Copy + Sync,
) -> Result<()> {
    let fold = Fold {
        start: Best { key: T::LOWEST, place: usize::MAX },
        fold: move |all: Best<T>, it: T, place| all.or(Best { key: key(it), place }),
        combine: Best::or,
        finish: move |all: Best<T>| (all.place as i64, key(all.key)),
    };
    reduce_indexed_pair(input, dims, out, fold)
}

/// Columns of contiguous elements, each with one result.
struct Columns {
    length: usize,
    /// So many lie side by side.
    stride: usize,
}

impl Columns {
    /// Those along one dimension of a contiguous tensor.
    fn of(input: &Tensor, dims: DimSet) -> Option<Columns> {
        let dim = (0..input.ndim()).find(|&dim| dims.contains(dim) && dims.size() == 1)?;
        let length = input.shape()[dim] as usize;
        let stride = input.shape()[dim + 1..].iter().product::<i64>() as usize;
        let fits = input.is_contiguous()
            && input.numel() > 0
            && stride >= WORTH_COLUMNS
            && u32::try_from(length).is_ok()
            // What is one block is one piece of work.
            && (stride > COLUMNS || input.numel() < WORTH_SHARING);
        fits.then_some(Columns { length, stride })
    }

    fn search(
        &self,
        input: &Tensor,
        (values, places): (Option<&mut Tensor>, &mut Tensor),
        extreme: Extreme,
    ) -> Result<()> {
        let Columns { length, stride } = *self;
        let loops = ArgReduceLoops::of(input.dtype(), extreme)?;
        let input = values_of(input)?;
        let values = values.map(|it| Target::new(it, &input, input.dtype())).transpose()?;
        let places = Target::new(places, &input, DType::Int64)?;
        let (first, to_places) = (Bytes(input.data_ptr()), places.first());
        let to_values = values.as_ref().map(Target::first);
        let (count, blocks) = (input.numel() / length, stride.div_ceil(COLUMNS));
        share(count / stride * blocks, length * stride.min(COLUMNS), &|range| {
            let (mut best, mut found) = ([0_u64; COLUMNS], [0; COLUMNS]);
            for index in range {
                let (outer, column) = (index / blocks, index % blocks * COLUMNS);
                let width = COLUMNS.min(stride - column);
                let start = first.at((outer * length * stride + column) * loops.size);
                let place = outer * stride + column;
                let best: *mut u8 = best.as_mut_ptr().cast();
                // SAFETY: the columns are elements of the input; a result has one place, in one block,
                // and each block is in one range.
                unsafe {
                    loops.columns(start, [length, stride, width], best, found.as_mut_ptr());
                    let to: *mut i64 = to_places.at(place * size_of::<i64>()).cast();
                    for (at, &found) in found[..width].iter().enumerate() {
                        to.add(at).write(found.into());
                    }
                    if let Some(to) = to_values {
                        let to = to.at(place * loops.size);
                        to.copy_from_nonoverlapping(best, width * loops.size);
                    }
                }
            }
        });
        places.finish()?;
        values.map_or(Ok(()), Target::finish)
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

/// Writes the best element of each run, and where it is, or one of both. Results are other memory.
pub(super) fn search(
    input: &Tensor,
    dim: usize,
    (values, places): (Option<&mut Tensor>, Option<&mut Tensor>),
    extreme: Extreme,
) -> Result<()> {
    let loops = ArgReduceLoops::of(input.dtype(), extreme)?;
    let input = values_of(input)?;
    let runs = Runs::new(&input, dim, Bytes(input.data_ptr()));
    let values = values.map(|it| Target::new(it, &input, input.dtype())).transpose()?;
    let places = places.map(|it| Target::new(it, &input, DType::Int64)).transpose()?;
    let (to_values, to_places) =
        (values.as_ref().map(Target::first), places.as_ref().map(Target::first));
    try_share(runs.count, runs.length, &|range| {
        for index in range {
            let (run, mut found) = (runs.start(index), 0_u64);
            let to = to_values.map_or((&raw mut found).cast(), |it| it.at(index * loops.size));
            // SAFETY: the runs are elements of the input, and each has results of its own.
            unsafe {
                match to_places {
                    Some(places) => {
                        let place = loops.place(run, runs.length, to)?;
                        let to: *mut i64 = places.at(index * size_of::<i64>()).cast();
                        to.write(place as i64);
                    }
                    None => loops.value(run, runs.length, to)?,
                }
            }
        }
        Ok(())
    })?;
    places.map_or(Ok(()), Target::finish)?;
    values.map_or(Ok(()), Target::finish)
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
