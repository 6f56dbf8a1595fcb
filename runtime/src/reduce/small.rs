//! Fast path of reductions of a small tensor in row-major order; its results are those of the general
//! path, bit by bit.

use super::accumulators::AccumulatorWord;
use super::emit::Emit;
use super::loops::{Loops, WORTH_LANES};
use super::space::is_worth_columns;
use crate::Tensor;
use crate::fast_path::FastPath;
use crate::geometry::DimSet;

/// So many elements at most.
const MAX_SMALL: usize = 64;

/// So many bytes an accumulator has at most.
pub(super) const LARGEST: usize = 64;

/// Room for as many accumulators.
type AccumulatorRoom = [AccumulatorWord; MAX_SMALL * LARGEST / size_of::<AccumulatorWord>()];

/// Elements as a block of three dimensions, of which the middle one goes.
pub(super) struct Small {
    start: *const u8,
    outs: [*mut u8; 2],
    sizes: [usize; 3],
    /// Whether the general path has columns, whose accumulators are combined with those of no elements.
    is_vertical: bool,
}

impl Small {
    /// Those of a tensor that is reduced into others; nothing if it has many, or any of them lies
    /// otherwise or has another shape.
    pub(super) fn of(
        input: &Tensor,
        dims: DimSet,
        out: &Tensor,
        second: Option<&Tensor>,
    ) -> Option<Small> {
        let lies_well = |it: &Tensor| it.is_contiguous() && it.storage().is_some();
        let is_small = input.numel() != 0 && input.numel() <= MAX_SMALL;
        if !is_small || !FastPath::SmallReduction.is_on() || !lies_well(input) {
            return None;
        }
        let sizes = sizes(input.shape(), dims, out.shape())?;
        let fits = |it: &Tensor| lies_well(it) && it.shape() == out.shape();
        if !lies_well(out) || !second.is_none_or(fits) {
            return None;
        }
        let [outer, depth, inner] = sizes;
        let is_inner = inner > 1;
        let is_vertical =
            depth > 1 && is_worth_columns(if is_inner { inner } else { outer }, is_inner, depth);
        if depth >= WORTH_LANES && !is_vertical {
            return None;
        }
        FastPath::SmallReduction.taken();
        // SAFETY: every element of the outputs is written before the reduction ends.
        let target = |it: &Tensor| unsafe { it.overwrite_ptr() };
        let outs = [target(out), second.map_or(std::ptr::null_mut(), target)];
        Some(Small { start: input.data_ptr(), outs, sizes, is_vertical })
    }

    /// Folds all, and emits the accumulators.
    ///
    /// # Safety
    ///
    /// The tensor's elements are initialised and of the type of the loops, whose accumulators have
    /// [`LARGEST`] bytes at most, and outputs have elements of these sizes in bytes.
    #[inline]
    pub(super) unsafe fn fold(&self, bytes: [usize; 2], loops: &dyn Loops, emit: &dyn Emit) {
        let [outer, _, inner] = self.sizes;
        let (count, distances) = (outer * inner, bytes.map(|it| it as isize));
        let mut room: AccumulatorRoom = [const { AccumulatorWord::uninit() }; _];
        let all = room.as_mut_ptr().cast();
        // SAFETY: as above; there is room for as many accumulators as outputs.
        unsafe {
            loops.fold_few(self.start, self.sizes, all);
            if self.is_vertical {
                let mut room: AccumulatorRoom = [const { AccumulatorWord::uninit() }; _];
                let none = room.as_mut_ptr().cast();
                loops.start(none, count);
                loops.combine(none, all, count);
                emit.emit(none, count, self.outs, distances);
            } else {
                emit.emit(all, count, self.outs, distances);
            }
        }
    }
}

/// The sizes before the reduced dimensions, of these together, and behind them; nothing if there are
/// others between them, or the result has another shape.
fn sizes(shape: &[i64], dims: DimSet, result: &[i64]) -> Option<[usize; 3]> {
    let keeps = result.len() == shape.len();
    let mut result = result.iter();
    let [mut outer, mut depth, mut inner] = [1; 3];
    for (dim, &size) in shape.iter().enumerate() {
        let is_reduced = dims.contains(dim);
        if (!is_reduced || keeps) && *result.next()? != if is_reduced { 1 } else { size } {
            return None;
        }
        match size as usize {
            1 => {}
            size if is_reduced && inner == 1 => depth *= size,
            _ if is_reduced => return None,
            size if depth == 1 => outer *= size,
            size => inner *= size,
        }
    }
    // What is of one element each is one row.
    let sizes = if depth == 1 { [1, 1, outer * inner] } else { [outer, depth, inner] };
    result.next().is_none().then_some(sizes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Fold, reduce, reduce_indexed_pair};
    use super::WORTH_LANES;
    use crate::geometry::DimSet;
    use crate::{Result, Tensor, view};

    /// Sums, which are rounded differently in another order, and greatest elements with their places.
    fn reduced(
        input: &Tensor,
        dims: DimSet,
        keeps: bool,
    ) -> Result<(Vec<u32>, Vec<f32>, Vec<i64>)> {
        let like = |like: &Tensor| {
            Tensor::allocate(&dims.reduced_shape(input.shape(), keeps), like.dtype(), like.device())
        };
        let places = Tensor::from_slice(&[1], &[0_i64])?;
        let (mut sum, mut most, mut place) = (like(input)?, like(input)?, like(&places)?);
        let plus = |a: f32, b: f32| a + b;
        reduce(
            input,
            dims,
            &mut sum,
            Fold { start: 0.0, fold: plus, combine: plus, finish: |it| it },
        )?;
        let greater = |a: (f32, i64), b: (f32, i64)| if b.0 > a.0 { b } else { a };
        let fold = Fold {
            start: (f32::NEG_INFINITY, 0),
            fold: |all, it, at| greater(all, (it, at as i64)),
            combine: greater,
            finish: |all| all,
        };
        reduce_indexed_pair(input, dims, (&mut most, Some(&mut place)), fold)?;
        let bits = sum.to_vec::<f32>()?.into_iter().map(f32::to_bits).collect();
        Ok((bits, most.to_vec()?, place.to_vec()?))
    }

    proptest! {
        #[test]
        fn few_elements_give_what_they_give_at_a_distance(
            shape in prop::collection::vec(1_i64..6, 0..4),
            numbers in prop::collection::vec(-1e3_f32..1e3, 256),
            reduced_dims in 0_u8..16,
            keeps: bool,
        ) {
            let ndim = shape.len();
            let is_reduced = |&dim: &usize| reduced_dims >> dim & 1 == 1;
            let reduced_dims: Vec<i64> = (0..ndim).filter(is_reduced).map(|it| it as i64).collect();
            let depth: i64 = reduced_dims.iter().map(|&dim| shape[dim as usize]).product();
            // Longer runs have other groups if they are no neighbours.
            prop_assume!((depth as usize) < WORTH_LANES);
            let dims = DimSet::new(&reduced_dims, ndim).unwrap();
            let numbers = &numbers[..shape.iter().product::<i64>() as usize];
            let input = Tensor::from_slice(&shape, numbers).unwrap();
            let twice: Vec<f32> = numbers.iter().flat_map(|&it| [it, 7.0]).collect();
            let twice = Tensor::from_slice(&[&shape[..], &[2]].concat(), &twice).unwrap();
            let apart = view::select(&twice, ndim, 0).unwrap();
            let [here, there] = [&input, &apart].map(|it| reduced(it, dims, keeps).unwrap());
            prop_assert_eq!(here, there);
        }
    }
}
