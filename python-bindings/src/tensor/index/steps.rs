//! A view made dimension by dimension, by an operator for each.

use opwright_runtime::geometry::Dims;
use opwright_runtime::{Error, Result, Tensor, ensure};

use crate::object::operators;

/// The way along the dimensions of a tensor, and the view so far.
pub(super) struct Steps<'a> {
    tensor: &'a Tensor,
    /// None if that is the tensor itself.
    view: Option<Tensor>,
    /// How many dimensions of the view are done.
    done: usize,
    /// How many dimensions are left.
    left: usize,
}

impl<'a> Steps<'a> {
    /// The beginning of the way.
    #[inline]
    pub(super) fn new(tensor: &'a Tensor) -> Steps<'a> {
        Steps { tensor, view: None, done: 0, left: tensor.ndim() }
    }

    /// The dimension of the tensor that comes next.
    #[inline]
    pub(super) fn dim(&self) -> usize {
        self.tensor.ndim() - self.left
    }

    /// How many dimensions are left.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// The number of dimensions of the view so far.
    #[inline]
    pub(super) fn ndim(&self) -> usize {
        self.done
    }

    #[inline]
    fn so_far(&self) -> &Tensor {
        self.view.as_ref().unwrap_or(self.tensor)
    }

    /// The size of the next dimension.
    #[inline]
    fn size(&self) -> Result<i64> {
        let sizes = &self.tensor.shape()[self.dim()..];
        sizes.first().copied().ok_or_else(|| no_more(self.tensor))
    }

    /// One index of the next dimension, which goes away. It may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if there is no such index, or no further dimension.
    #[inline]
    pub(super) fn select(&mut self, index: i64) -> Result<()> {
        check_index(index, self.dim(), self.size()?)?;
        self.view = Some(operators::select(self.so_far(), self.done, index)?);
        self.left -= 1;
        Ok(())
    }

    /// Every `step`-th index of the next dimension from `start` to before
    /// `end`, which may count from the end and are cut to the dimension.
    ///
    /// # Errors
    ///
    /// `Value` if `step` is zero, `Index` if there is no further dimension.
    #[inline]
    pub(super) fn slice(&mut self, start: i64, end: i64, step: i64) -> Result<()> {
        let size = self.size()?;
        if start != 0 || end < size || step != 1 {
            self.view = Some(operators::slice(self.so_far(), self.done, start, end, step)?);
        }
        self.done += 1;
        self.left -= 1;
        Ok(())
    }

    /// The next `count` dimensions as they are.
    ///
    /// # Errors
    ///
    /// `Index` if there are not so many.
    #[inline]
    pub(super) fn keep(&mut self, count: usize) -> Result<()> {
        self.left = self.left.checked_sub(count).ok_or_else(|| no_more(self.tensor))?;
        self.done += count;
        Ok(())
    }

    /// A new dimension of size one.
    ///
    /// # Errors
    ///
    /// Those of the operator.
    #[inline]
    pub(super) fn insert(&mut self) -> Result<()> {
        let behind = self.so_far().ndim();
        let mut view = operators::unsqueeze(self.so_far(), behind)?;
        if self.done < behind {
            // Its stride is 1, which one in front of others would not have.
            let mut order: Dims = (0..behind as i64).collect();
            order.insert(self.done, behind as i64);
            view = operators::permute(&view, &order)?;
        }
        self.view = Some(view);
        self.done += 1;
        Ok(())
    }

    /// What was picked, with the dimensions that are left, which are kept.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    #[inline]
    pub(super) fn view(self) -> Result<Tensor> {
        self.view.map_or_else(|| operators::alias(self.tensor), Ok)
    }
}

/// Refuses an index that a dimension does not have.
///
/// # Errors
///
/// `Index`.
#[inline(always)]
pub(crate) fn check_index(index: i64, dim: usize, size: i64) -> Result<()> {
    ensure!(
        -size <= index && index < size,
        Index,
        "index {index} is out of bounds for dimension {dim} with size {size}"
    );
    Ok(())
}

#[cold]
fn no_more(tensor: &Tensor) -> Error {
    Error::out_of_range(format_args!("the tensor has {} dimensions only", tensor.ndim()))
}
