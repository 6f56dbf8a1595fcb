//! A view made dimension by dimension: by an operator for each if a layer is to see them, else by
//! one for all.

use opwright_runtime::geometry::Dims;
use opwright_runtime::{Error, Result, Tensor, ensure};

use crate::tensor::operators;

/// The way along the dimensions of a tensor, and the view so far.
pub(super) struct Steps<'a> {
    tensor: &'a Tensor,
    view: View,
    /// How many dimensions are left.
    left: usize,
}

/// A view so far.
enum View {
    /// Sizes and strides of the dimensions that are done, and where the first element is.
    Planned { shape: Dims, strides: Dims, offset: i64 },
    /// A tensor, if it is another one, and how many of its dimensions are done. The operators that
    /// make it are such as layers know most of.
    Made { tensor: Option<Tensor>, done: usize },
}

impl<'a> Steps<'a> {
    /// The beginning of the way.
    #[inline]
    pub(super) fn new(tensor: &'a Tensor) -> Steps<'a> {
        let view = match operators::has_layers(tensor) {
            true => View::Made { tensor: None, done: 0 },
            false => {
                let offset = tensor.offset();
                View::Planned { shape: Dims::new(), strides: Dims::new(), offset }
            }
        };
        Steps { tensor, view, left: tensor.ndim() }
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
        match &self.view {
            View::Planned { shape, .. } => shape.len(),
            View::Made { done, .. } => *done,
        }
    }

    /// Size and stride of the next dimension.
    #[inline]
    fn here(&self) -> Result<(i64, i64)> {
        let dim = self.dim();
        match (self.tensor.shape().get(dim), self.tensor.strides().get(dim)) {
            (Some(size), Some(stride)) => Ok((*size, *stride)),
            _ => Err(no_more(self.tensor)),
        }
    }

    /// One index of the next dimension, which goes away. It may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if there is no such index, or no further dimension.
    #[inline]
    pub(super) fn select(&mut self, index: i64) -> Result<()> {
        let (size, stride) = self.here()?;
        check_index(index, self.dim(), size)?;
        match &mut self.view {
            View::Planned { offset, .. } => {
                *offset += stride * if index < 0 { index + size } else { index };
            }
            View::Made { tensor, done } => {
                *tensor = Some(operators::select(so_far(tensor, self.tensor), *done, index)?);
            }
        }
        self.left -= 1;
        Ok(())
    }

    /// Every `step`-th index of the next dimension from `start` to before
    /// `end`, which may count from the end and are cut to the dimension.
    ///
    /// # Errors
    ///
    /// `Value` if `step` is not positive, `Index` if there is no further dimension.
    #[inline]
    pub(super) fn slice(&mut self, start: i64, end: i64, step: i64) -> Result<()> {
        let (size, stride) = self.here()?;
        ensure!(step > 0, Value, "slice step must be positive");
        match &mut self.view {
            View::Planned { shape, strides, offset } => {
                let wrap = |it: i64| if it < 0 { it.saturating_add(size) } else { it };
                let start = wrap(start).clamp(0, size);
                let span = wrap(end).clamp(start, size) - start;
                // A division takes longer than all the rest.
                let length =
                    if step == 1 { span } else { span / step + i64::from(span % step > 0) };
                if length > 0 {
                    *offset += stride * start;
                }
                shape.push(length);
                // A step over the only element goes nowhere.
                strides.push(if length > 1 { stride * step } else { stride });
            }
            View::Made { tensor, done } => {
                if start != 0 || end < size || step != 1 {
                    let view = so_far(tensor, self.tensor);
                    *tensor = Some(operators::slice(view, *done, start, end, step)?);
                }
                *done += 1;
            }
        }
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
        let (from, left) = (self.dim(), self.left.checked_sub(count));
        self.left = left.ok_or_else(|| no_more(self.tensor))?;
        match &mut self.view {
            View::Planned { shape, strides, .. } => {
                shape.extend_from_slice(&self.tensor.shape()[from..from + count]);
                strides.extend_from_slice(&self.tensor.strides()[from..from + count]);
            }
            View::Made { done, .. } => *done += count,
        }
        Ok(())
    }

    /// A new dimension of size one.
    ///
    /// # Errors
    ///
    /// Those of the operator.
    #[inline]
    pub(super) fn insert(&mut self) -> Result<()> {
        match &mut self.view {
            View::Planned { shape, strides, .. } => {
                shape.push(1);
                strides.push(1);
            }
            View::Made { tensor, done } => {
                *tensor = Some(inserted(so_far(tensor, self.tensor), *done)?);
                *done += 1;
            }
        }
        Ok(())
    }

    /// What was picked, with the dimensions that are left, which are kept.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    #[inline]
    pub(super) fn view(mut self) -> Result<Tensor> {
        self.keep(self.left)?;
        match self.view {
            View::Planned { shape, strides, offset } => {
                operators::as_strided(self.tensor, &shape, &strides, offset)
            }
            View::Made { tensor: Some(view), .. } => Ok(view),
            View::Made { tensor: None, .. } => operators::alias(self.tensor),
        }
    }
}

fn so_far<'a>(made: &'a Option<Tensor>, tensor: &'a Tensor) -> &'a Tensor {
    made.as_ref().unwrap_or(tensor)
}

/// A view with a dimension of size one at a place; its stride is 1, which one in front of others
/// would not have.
fn inserted(view: &Tensor, at: usize) -> Result<Tensor> {
    let behind = view.ndim();
    let inserted = operators::unsqueeze(view, behind)?;
    if at == behind {
        return Ok(inserted);
    }
    let mut order: Dims = (0..behind as i64).collect();
    order.insert(at, behind as i64);
    operators::permute(&inserted, &order)
}

/// Refuses an index that a dimension does not have.
///
/// # Errors
///
/// `Index`.
#[inline(always)]
pub(super) fn check_index(index: i64, dim: usize, size: i64) -> Result<()> {
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
