//! A view made dimension by dimension, as indices and slices pick it out.

use super::shared::Shared;
use super::{Impl, Tensor};
use crate::geometry::Dims;
use crate::{Error, Result, Scalar, dispatch, ensure};

/// The way along the dimensions of a tensor, and the view so far.
///
/// ```
/// use opwright_runtime::Tensor;
/// use opwright_runtime::tensor::Pick;
///
/// // x[1, None, ::2]
/// let x = Tensor::from_slice(&[2, 3], &[1, 2, 3, 4, 5, 6_i64])?;
/// let mut pick = Pick::new(&x);
/// pick.select(1)?;
/// pick.insert();
/// pick.slice(0, 3, 2)?;
/// let view = pick.view()?;
/// assert_eq!((view.shape(), view.to_vec::<i64>()?), (&[1, 2][..], vec![4, 6]));
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub struct Pick<'a> {
    tensor: &'a Tensor,
    /// Sizes and strides of the dimensions that are left.
    sizes: &'a [i64],
    steps: &'a [i64],
    shape: Dims,
    strides: Dims,
    offset: i64,
}

impl<'a> Pick<'a> {
    /// The beginning of the way.
    #[inline]
    pub fn new(tensor: &'a Tensor) -> Pick<'a> {
        Pick {
            tensor,
            sizes: tensor.shape(),
            steps: tensor.strides(),
            shape: Dims::new(),
            strides: Dims::new(),
            offset: tensor.offset(),
        }
    }

    /// The dimension that comes next.
    #[inline]
    pub fn dim(&self) -> usize {
        self.tensor.ndim() - self.left()
    }

    /// How many dimensions are left.
    #[inline]
    pub fn left(&self) -> usize {
        self.sizes.len()
    }

    /// The number of dimensions of the view so far.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Size and stride of the next dimension.
    #[inline]
    fn here(&self) -> Result<(i64, i64)> {
        match (self.sizes, self.steps) {
            ([size, ..], [stride, ..]) => Ok((*size, *stride)),
            _ => Err(no_more(self.tensor)),
        }
    }

    /// Goes on to the dimension behind the next one, which exists.
    #[inline]
    fn advance(&mut self) {
        (self.sizes, self.steps) = (&self.sizes[1..], &self.steps[1..]);
    }

    /// One index of the next dimension, which goes away. It may count from the end.
    ///
    /// # Errors
    ///
    /// `Index` if there is no such index, or no further dimension.
    #[inline]
    pub fn select(&mut self, index: i64) -> Result<()> {
        let (size, stride) = self.here()?;
        ensure!(
            -size <= index && index < size,
            Index,
            "index {index} is out of bounds for dimension {} with size {size}",
            self.dim()
        );
        self.offset += stride * if index < 0 { index + size } else { index };
        self.advance();
        Ok(())
    }

    /// Every `step`-th index of the next dimension from `start` to before
    /// `end`, which may count from the end and are cut to the dimension.
    ///
    /// # Errors
    ///
    /// `Value` if `step` is not positive, `Index` if there is no further dimension.
    #[inline]
    pub fn slice(&mut self, start: i64, end: i64, step: i64) -> Result<()> {
        ensure!(step > 0, Value, "slice step must be positive");
        let (size, stride) = self.here()?;
        let wrap = |index: i64| if index < 0 { index.saturating_add(size) } else { index };
        let start = wrap(start).clamp(0, size);
        let span = wrap(end).clamp(start, size) - start;
        // A division takes longer than all the rest.
        let length = if step == 1 { span } else { span / step + i64::from(span % step > 0) };
        if length > 0 {
            self.offset += stride * start;
        }
        self.shape.push(length);
        // A step over the only element goes nowhere.
        self.strides.push(if length > 1 { stride * step } else { stride });
        self.advance();
        Ok(())
    }

    /// The next `count` dimensions as they are.
    ///
    /// # Errors
    ///
    /// `Index` if there are not so many.
    pub fn keep(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let (size, stride) = self.here()?;
            self.shape.push(size);
            self.strides.push(stride);
            self.advance();
        }
        Ok(())
    }

    /// A new dimension of size one.
    #[inline]
    pub fn insert(&mut self) {
        self.shape.push(1);
        self.strides.push(1);
    }

    /// Whether a single element was picked, without dimensions.
    #[inline]
    pub fn is_element(&self) -> bool {
        self.sizes.is_empty() && self.shape.is_empty()
    }

    /// What was picked, with the dimensions that are left, which are kept.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    #[inline]
    pub fn view(&mut self) -> Result<Tensor> {
        let Pick { tensor, offset, .. } = *self;
        if self.is_element() {
            return tensor.element(offset);
        }
        if self.shape.is_empty() {
            return tensor.with_checked_slices(self.sizes, self.steps, offset);
        }
        self.keep(self.left())?;
        tensor.with_checked_slices(&self.shape, &self.strides, offset)
    }

    /// Writes a number to the element that was picked.
    ///
    /// # Errors
    ///
    /// `Runtime` if it is not a single one or if the number does not fit the
    /// dtype, `NotImplemented` on the meta device.
    pub fn write(&self, value: Scalar) -> Result<()> {
        ensure!(self.is_element(), Runtime, "a number is written to one element");
        self.tensor.check_readable()?;
        let storage = self.tensor.storage().map_or(std::ptr::null_mut(), |it| it.ready_ptr());
        dispatch!(self.tensor.dtype(), "write", all, |T| {
            let value: T = value.checked()?;
            // SAFETY: every index was checked, so the element is within the storage, whose
            // dtype is that of `T`.
            unsafe { storage.cast::<T>().offset(self.offset as isize).write(value) };
            Ok(())
        })
    }
}

impl Tensor {
    /// A view without dimensions of the element at a place in the storage, which exists.
    #[inline]
    pub(super) fn element(&self, offset: i64) -> Result<Tensor> {
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: self.0.storage.clone(),
            offset,
            count: 1,
            shape: Dims::new(),
            strides: Dims::new(),
            dtype: self.0.dtype,
            is_wrapped_number: false,
            is_row_major: true,
            layers: self.0.layers.of_view(),
        })?))
    }

    /// Makes a view of one element of `line`, a tensor with one dimension, that of another
    /// element; says no, and changes nothing, if it is anything else or has other handles.
    ///
    /// For loops over elements, which need not make a new tensor for each.
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let line = Tensor::from_slice(&[3], &[1.0, 2.0, 3.0])?;
    /// let mut element = view::select(&line, 0, 0)?;
    /// assert!(element.move_within(&line, 2));
    /// assert_eq!(element.to_vec::<f64>()?, [3.0]);
    /// assert!(!element.clone().move_within(&line, 1));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    #[inline]
    pub fn move_within(&mut self, line: &Tensor, index: i64) -> bool {
        let ([size], [stride]) = (line.shape(), line.strides()) else { return false };
        let is_same = match (self.storage(), line.storage()) {
            (Some(own), Some(other)) => own.is_same(other),
            (None, None) => true,
            _ => false,
        };
        let is_element = is_same
            && self.ndim() == 0
            && self.dtype() == line.dtype()
            && (0..*size).contains(&index);
        let offset = line.offset() + index * stride;
        match Shared::get_mut(&mut self.0) {
            Some(metadata)
                if is_element && !metadata.is_wrapped_number && metadata.layers.are_new() =>
            {
                metadata.offset = offset;
                true
            }
            _ => false,
        }
    }
}

#[cold]
fn no_more(tensor: &Tensor) -> Error {
    Error::out_of_range(format_args!("the tensor has {} dimensions only", tensor.ndim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view;

    fn counted() -> Tensor {
        let numbers: Vec<i64> = (0..24).collect();
        Tensor::from_slice(&[2, 3, 4], &numbers).unwrap()
    }

    #[test]
    fn what_is_left_is_kept() {
        let x = counted();
        let mut pick = Pick::new(&x);
        pick.select(-1).unwrap();
        assert_eq!(pick.view().unwrap().to_vec::<i64>().unwrap(), (12..24).collect::<Vec<_>>());
        let mut pick = Pick::new(&x);
        pick.keep(1).unwrap();
        pick.slice(-2, 9, 1).unwrap();
        pick.slice(3, 1, 1).unwrap();
        assert_eq!(pick.view().unwrap().shape(), [2, 2, 0]);
    }

    #[test]
    fn an_element_is_written() {
        let x = counted();
        let mut pick = Pick::new(&x);
        for index in [1, 2, 3] {
            pick.select(index).unwrap();
        }
        pick.write(7.into()).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap()[22..], [22, 7]);
        assert_eq!(pick.view().unwrap().to_vec::<i64>().unwrap(), [7]);
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let x = counted();
        let mut pick = Pick::new(&x);
        assert!(pick.select(2).is_err());
        assert!(pick.slice(0, 1, 0).is_err());
        assert!(pick.write(1.into()).is_err());
        assert!(pick.keep(4).is_err());
        assert!(pick.select(0).is_err());
        assert_eq!(pick.view().unwrap().shape(), [2, 3, 4]);
    }

    #[test]
    fn only_elements_of_the_line_move() {
        let line = Tensor::from_slice(&[3], &[1.0, 2.0, 3.0]).unwrap();
        let other = Tensor::from_slice(&[3], &[4.0, 5.0, 6.0]).unwrap();
        let mut element = view::select(&line, 0, 1).unwrap();
        assert!(!element.move_within(&other, 0));
        assert!(!element.move_within(&line, 3));
        assert!(!element.move_within(&counted(), 0));
        assert!(!view::narrow(&line, 0, 0, 1).unwrap().move_within(&line, 0));
        assert!(element.move_within(&line, 0));
        assert_eq!(element.to_vec::<f64>().unwrap(), [1.0]);
    }
}
