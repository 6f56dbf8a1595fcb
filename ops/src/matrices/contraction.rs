//! Sums of products along several dimensions, and products of all with all.

use opwright_macros::native_op;
use opwright_runtime::geometry::{DimSet, Dims, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure};

use crate::ops::{self, TensorOps};

#[native_op(tensordot)]
fn tensordot(
    self_: &Tensor,
    other: &Tensor,
    dims_self: &[i64],
    dims_other: &[i64],
) -> Result<Tensor> {
    let count = dims_self.len();
    ensure!(
        count == dims_other.len(),
        Runtime,
        "both dimension lists should have same length, got {count} and {}",
        dims_other.len()
    );
    let (mut left, mut right) = (Side::new(self_, dims_self)?, Side::new(other, dims_other)?);
    for pair in 0..count {
        left.match_size(pair, &mut right)?;
    }
    let mut shape = left.kept_shape();
    shape.extend_from_slice(&right.kept_shape());
    let left = left.matrix(true)?;
    let right = right.matrix(false)?;
    ops::mm::Default_::call(&left, &right)?.reshape(&shape)
}

/// One factor of a contraction.
struct Side {
    tensor: Tensor,
    /// The dimensions that are summed over, in the order of the pairs.
    summed: Vec<usize>,
    kept: Vec<usize>,
}

impl Side {
    fn new(tensor: &Tensor, dims: &[i64]) -> Result<Side> {
        let ndim = tensor.ndim();
        let set = DimSet::new(dims, ndim)?;
        let summed = if ndim == 0 { Vec::new() } else { wrapped(dims, ndim)? };
        let kept = (0..ndim).filter(|&dim| !set.contains(dim)).collect();
        Ok(Side { tensor: tensor.clone(), summed, kept })
    }

    fn size(&self, pair: usize) -> i64 {
        self.summed.get(pair).map_or(1, |&dim| self.tensor.shape()[dim])
    }

    /// Makes both sides of a pair equally long, by stretching nothing: a side
    /// of size one is multiplied with the sum of the other.
    fn match_size(&mut self, pair: usize, other: &mut Side) -> Result<()> {
        let (size, other_size) = (self.size(pair), other.size(pair));
        if size == other_size {
            return Ok(());
        }
        ensure!(
            size == 1 || other_size == 1,
            Runtime,
            "contracted dimensions need to match, but first has size {size} in dim {} and second \
             has size {other_size} in dim {}",
            self.summed.get(pair).copied().unwrap_or_default(),
            other.summed.get(pair).copied().unwrap_or_default()
        );
        if size == 1 { other.add_up(pair) } else { self.add_up(pair) }
    }

    fn add_up(&mut self, pair: usize) -> Result<()> {
        let dim = self.summed[pair] as i64;
        let dtype = Some(self.tensor.dtype());
        self.tensor = ops::sum::dim_IntList::call(&self.tensor, Some(&[dim]), true, dtype)?;
        Ok(())
    }

    fn kept_shape(&self) -> Dims {
        self.kept.iter().map(|&dim| self.tensor.shape()[dim]).collect()
    }

    /// As a matrix: the kept dimensions by the summed ones, or the other way.
    fn matrix(&self, is_left: bool) -> Result<Tensor> {
        let kept: i64 = self.kept_shape().iter().product();
        let summed: i64 = self.summed.iter().map(|&dim| self.tensor.shape()[dim]).product();
        let (order, shape) = if is_left {
            ([&self.kept[..], &self.summed[..]].concat(), [kept, summed])
        } else {
            ([&self.summed[..], &self.kept[..]].concat(), [summed, kept])
        };
        let order: Vec<i64> = order.into_iter().map(|dim| dim as i64).collect();
        self.tensor.permute(&order)?.reshape(&shape)
    }
}

fn wrapped(dims: &[i64], ndim: usize) -> Result<Vec<usize>> {
    dims.iter().map(|&dim| wrap_dim(dim, ndim)).collect()
}

#[native_op(kron)]
fn kron(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    let ndim = self_.ndim().max(other.ndim());
    let sizes = |tensor: &Tensor| {
        let mut sizes = Dims::from_elem(1, ndim - tensor.ndim());
        sizes.extend_from_slice(tensor.shape());
        sizes
    };
    let (blocks, block) = (sizes(self_), sizes(other));
    let (mut outer, mut inner, mut shape) = (Dims::new(), Dims::new(), Dims::new());
    for (&count, &size) in blocks.iter().zip(&block) {
        // Without those of size one, so that these are never more than a tensor can have.
        for (count, size) in [(count, 1), (1, size)] {
            if count != 1 || size != 1 {
                outer.push(count);
                inner.push(size);
            }
        }
        shape.push(count.saturating_mul(size));
    }
    let (outer, inner) = (self_.reshape(&outer)?, other.reshape(&inner)?);
    ops::mul::Tensor::call(&outer, &inner)?.reshape(&shape)
}
