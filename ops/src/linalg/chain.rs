//! Products of several matrices, in the cheapest order.

use opwright_runtime::{Result, Tensor, buffer, ensure};

use crate::ops;

/// Matrices that fit together, one after the other.
pub(super) struct Chain {
    matrices: Vec<Tensor>,
    starts_with_vector: bool,
    ends_with_vector: bool,
}

impl Chain {
    /// From matrices, of which the first and the last may be vectors.
    ///
    /// # Errors
    ///
    /// `Runtime` if dimensions are too many or too few, or sizes do not fit.
    pub(super) fn new(tensors: &[&Tensor]) -> Result<Chain> {
        let last = tensors.len() - 1;
        let mut chain =
            Chain { matrices: Vec::new(), starts_with_vector: false, ends_with_vector: false };
        for (place, &tensor) in tensors.iter().enumerate() {
            let is_end = place == 0 || place == last;
            ensure!(
                tensor.ndim() == 2 || (is_end && tensor.ndim() == 1),
                Runtime,
                "tensor {place} must be {} but got {}D",
                if is_end { "1D or 2D" } else { "2D" },
                tensor.ndim()
            );
            let is_vector = tensor.ndim() == 1;
            chain.starts_with_vector |= is_vector && place == 0;
            chain.ends_with_vector |= is_vector && place == last;
            let dim = i64::from(place == last);
            let matrix = match is_vector {
                true => ops::unsqueeze::Default_::call(tensor, dim)?,
                false => tensor.clone(),
            };
            chain.matrices.push(matrix);
        }
        chain.check_sizes()?;
        Ok(chain)
    }

    fn check_sizes(&self) -> Result<()> {
        for (place, pair) in self.matrices.windows(2).enumerate() {
            let (a, b) = (pair[0].shape(), pair[1].shape());
            ensure!(
                a[1] == b[0],
                Runtime,
                "tensors {place} and {} with shapes {a:?} and {b:?} cannot be multiplied",
                place + 1
            );
        }
        Ok(())
    }

    pub(super) fn multiply(&self) -> Result<Tensor> {
        let splits = self.cheapest_splits()?;
        let mut product = self.product(&splits, 0, self.matrices.len() - 1)?;
        if self.ends_with_vector {
            product = ops::squeeze::dim::call(&product, 1)?;
        }
        if self.starts_with_vector { ops::squeeze::dim::call(&product, 0) } else { Ok(product) }
    }

    fn product(&self, splits: &[Vec<usize>], first: usize, last: usize) -> Result<Tensor> {
        if first == last {
            return Ok(self.matrices[first].clone());
        }
        let middle = splits[first][last];
        let left = self.product(splits, first, middle)?;
        ops::mm::Default_::call(&left, &self.product(splits, middle + 1, last)?)
    }

    /// After which matrix the product from one to another is cut, by the costs of
    /// all shorter products.
    fn cheapest_splits(&self) -> Result<Vec<Vec<usize>>> {
        let count = self.matrices.len();
        let mut sizes: Vec<u128> = vec![self.matrices[0].shape()[0] as u128];
        sizes.extend(self.matrices.iter().map(|it| it.shape()[1] as u128));
        let mut costs = buffer::try_collected((0..count).map(|_| buffer::filled(count, 0_u128)))?;
        let mut splits = buffer::try_collected((0..count).map(|_| buffer::filled(count, 0)))?;
        for length in 1..count {
            for first in 0..count - length {
                let last = first + length;
                let cost = |middle: usize| {
                    let join = sizes[first]
                        .saturating_mul(sizes[middle + 1])
                        .saturating_mul(sizes[last + 1]);
                    join.saturating_add(costs[first][middle])
                        .saturating_add(costs[middle + 1][last])
                };
                let best = (first..last).min_by_key(|&middle| cost(middle)).unwrap_or(first);
                costs[first][last] = cost(best);
                splits[first][last] = best;
            }
        }
        Ok(splits)
    }
}
