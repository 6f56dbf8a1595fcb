//! Sums, means and maxima of bags of rows, by their numbers.

use opwright_macros::native_op;
use opwright_runtime::{DType, ReductionType, Result, Scalar, Tensor, ensure};

use crate::dtype_queries::to_dtype;
use crate::ops::{self, TensorOps};

const ZERO: Scalar = Scalar::Int(0);
const ONE: Scalar = Scalar::Int(1);

/// What is made of a bag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combination {
    Sum,
    Mean,
    Max,
}

#[native_op(_embedding_bag)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn embedding_bag(
    weight: &Tensor,
    indices: &Tensor,
    offsets: &Tensor,
    scale_grad_by_freq: bool,
    mode: i64,
    sparse: bool,
    per_sample_weights: Option<&Tensor>,
    include_last_offset: bool,
    padding_idx: i64,
) -> Result<(Tensor, Tensor, Tensor, Tensor)> {
    let combination = match mode {
        0 => Combination::Sum,
        1 => Combination::Mean,
        _ => Combination::Max,
    };
    ensure!(
        (0..=2).contains(&mode),
        Runtime,
        "mode must be 0 for sums, 1 for means or 2 for maxima, but is {mode}"
    );
    let last = i64::from(include_last_offset);
    ensure!(
        weight.ndim() == 2
            && indices.ndim() == 1
            && offsets.ndim() == 1
            && offsets.shape()[0] >= last,
        Runtime,
        "weight must be a matrix, and indices and offsets vectors, but they have the shapes {:?}, {:?} \
         and {:?}",
        weight.shape(),
        indices.shape(),
        offsets.shape()
    );
    if let Some(weights) = per_sample_weights {
        ensure!(
            combination == Combination::Sum && weights.shape() == indices.shape(),
            Runtime,
            "per_sample_weights goes with sums alone and has the shape of indices, {:?}, but its shape \
             is {:?} and mode {mode}",
            indices.shape(),
            weights.shape()
        );
    }
    let starts = offsets.narrow(0, 0, offsets.shape()[0] - last)?;
    let bags = Bags::new(weight, indices, &starts, padding_idx)?;
    if combination == Combination::Max {
        let (greatest, places) = bags.greatest(weight)?;
        return Ok((greatest, bags.of, bags.sizes, places));
    }
    let rows =
        ops::embedding::Default_::call(weight, indices, padding_idx, scale_grad_by_freq, sparse)?;
    let mut counted = to_dtype(&bags.is_counted, weight.dtype())?;
    if let Some(weights) = per_sample_weights {
        counted = counted.mul(weights)?;
    }
    let none = weight.new_zeros(&[starts.shape()[0], weight.shape()[1]])?;
    let mut combined = none.index_add(0, &bags.of, &rows.mul(&counted.unsqueeze(-1)?)?)?;
    if combination == Combination::Mean {
        let sizes = to_dtype(&bags.sizes.clamp_min(ONE)?, weight.dtype())?;
        combined = combined.div(&sizes.unsqueeze(-1)?)?;
    }
    let places = bags.sizes.clone();
    Ok((combined, bags.of, ops::clone::Default_::call(&bags.sizes, None)?, places))
}

/// Which rows are in which bag.
struct Bags<'a> {
    indices: &'a Tensor,
    /// The number of each row's bag.
    of: Tensor,
    /// Whether a row is none of the padding.
    is_counted: Tensor,
    /// How many rows of each bag count.
    sizes: Tensor,
}

/// The numbers from zero on, one for each element.
fn numbers(like: &Tensor) -> Result<Tensor> {
    let dtype = Some(DType::Int64);
    let ones = ops::ones_like::Default_::call(like, dtype, None, None, None, None)?;
    ops::cumsum::Default_::call(&ones, 0, None)?.sub_scalar(ONE)
}

impl<'a> Bags<'a> {
    fn new(
        weight: &Tensor,
        indices: &'a Tensor,
        starts: &Tensor,
        padding_idx: i64,
    ) -> Result<Bags<'a>> {
        let search = ops::searchsorted::Tensor::call;
        let starts = to_dtype(starts, DType::Int64)?;
        let of = search(&starts, &numbers(indices)?, false, true, None, None)?.sub_scalar(ONE)?;
        let padding = if padding_idx < 0 { weight.shape()[0].max(1) } else { padding_idx };
        let is_counted = indices.ne_scalar(Scalar::Int(padding))?;
        let none = starts.new_zeros(starts.shape())?;
        let sizes = none.index_add(0, &of, &to_dtype(&is_counted, DType::Int64)?)?;
        Ok(Bags { indices, of, is_counted, sizes })
    }

    /// The greatest elements of each bag, and which rows of the weights they are of: -1 of bags without
    /// rows.
    fn greatest(&self, weight: &Tensor) -> Result<(Tensor, Tensor)> {
        let (count, width) = (self.indices.shape()[0], weight.shape()[1]);
        let found = [self.sizes.shape()[0], width];
        let rows = ops::index_select::Default_::call(&weight.detach()?, 0, self.indices)?;
        let is_left_out = self.is_counted.logical_not()?.unsqueeze(-1)?;
        let least = Scalar::Float(f64::NEG_INFINITY);
        let rows = rows.masked_fill(&is_left_out, least)?;
        let of = self.of.unsqueeze(-1)?.expand(&[count, width])?;
        let greatest = ops::scatter_reduce::two::call(
            &rows.new_full(&found, least)?,
            0,
            &of,
            &rows,
            ReductionType::Amax,
            true,
        )?;
        let is_greatest = rows.eq(&ops::index_select::Default_::call(&greatest, 0, &self.of)?)?;
        let is_other = is_greatest.logical_not()?.logical_or(&is_left_out)?;
        let places = numbers(self.indices)?.unsqueeze(-1)?.expand(&[count, width])?;
        let places = places.masked_fill(&is_other, Scalar::Int(count))?;
        let first = self.of.new_full(&found, Scalar::Int(count))?;
        let first =
            ops::scatter_reduce::two::call(&first, 0, &of, &places, ReductionType::Amin, true)?;
        let is_empty = first.eq_scalar(Scalar::Int(count))?;
        let behind = self.indices.new_zeros(&[1])?;
        let numbers = ops::cat::Default_::call(&[self.indices, &behind], 0)?;
        let numbers = ops::index_select::Default_::call(&numbers, 0, &first.reshape(&[-1])?)?;
        let numbers = to_dtype(&numbers.reshape(&found)?, DType::Int64)?;
        let result = weight.gather(0, &numbers)?.masked_fill(&is_empty, ZERO)?;
        Ok((result, numbers.masked_fill(&is_empty, Scalar::Int(-1))?))
    }
}
