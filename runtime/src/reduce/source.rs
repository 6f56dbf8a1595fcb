//! The input of a reduction: a tensor, or a fused producer.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use super::fused_input::FusedInput;
use crate::geometry::DimSet;
use crate::{DType, Error, Result, Tensor, warning};

/// The elements that a reduction reads: those of a tensor, or such as are made block by block while
/// it runs, and never lie in memory all at once.
///
/// A kernel that takes it in place of its first tensor, and hands it to
/// [`reduce`](super::reduce), can stand at the end of a chain of element-wise operators.
///
/// ```
/// use opwright_runtime::geometry::DimSet;
/// use opwright_runtime::reduce::{Fold, Source, reduce};
/// use opwright_runtime::{DType, Device, Result, Tensor};
///
/// fn total(of: Source<'_>, out: &mut Tensor) -> Result<()> {
///     let dims = DimSet::full(of.ndim())?;
///     let plus = |a: f64, b: f64| a + b;
///     reduce(of, dims, out, Fold { start: 0.0, fold: plus, combine: plus, finish: |it| it })
/// }
///
/// let mut out = Tensor::allocate(&[], DType::Float64, Device::Cpu)?;
/// total((&Tensor::from_slice(&[2], &[0.5, 2.0])?).into(), &mut out)?;
/// assert_eq!(out.to_vec::<f64>()?, [2.5]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Source<'a>(pub(super) Of<'a>);

#[derive(Debug)]
pub(super) enum Of<'a> {
    Tensor(Cow<'a, Tensor>),
    Fused(Box<FusedInput<'a>>),
}

/// Who makes elements while a reduction runs.
pub(crate) trait Feed: Sync {
    /// How they would lie in a tensor, in row-major order.
    fn shape(&self) -> &[i64];

    /// What they are.
    fn dtype(&self) -> DType;

    /// They are about to be folded along these dimensions.
    ///
    /// # Errors
    ///
    /// If they should not be.
    fn begin(&self, dims: DimSet) -> Result<()>;

    /// Somebody who makes those of a range, for one thread.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    fn hand(&self, range: Range<usize>) -> Result<Box<dyn Hand + '_>>;
}

/// Makes elements, in order.
pub(crate) trait Hand {
    /// Where so many of them are, at most [`MOST`], until it is asked again.
    fn elements(&mut self, start: usize, count: usize) -> *const u8;
}

/// So many elements are asked for at most.
pub(crate) const MOST: usize = 1024;

impl<'a> Source<'a> {
    /// Elements that somebody makes.
    pub(crate) fn made(feed: &'a dyn Feed) -> Source<'a> {
        Source(Of::Fused(Box::new(FusedInput::new(feed))))
    }

    /// The extents of its dimensions.
    #[inline]
    pub fn shape(&self) -> &[i64] {
        match &self.0 {
            Of::Tensor(it) => it.shape(),
            Of::Fused(it) => it.shape(),
        }
    }

    /// The number of its dimensions.
    #[inline]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// The dtype of its elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        match &self.0 {
            Of::Tensor(it) => it.dtype(),
            Of::Fused(it) => it.dtype(),
        }
    }

    /// The tensor that has the elements; none if they are made while the reduction runs.
    #[inline]
    pub fn tensor(&self) -> Option<&Tensor> {
        match &self.0 {
            Of::Tensor(it) => Some(it),
            Of::Fused(_) => None,
        }
    }

    /// What is made, and told where it goes; none of a tensor.
    #[inline]
    pub(super) fn begin(&self, dims: DimSet) -> Result<Option<&FusedInput<'a>>> {
        match &self.0 {
            Of::Tensor(_) => Ok(None),
            Of::Fused(it) => it.feed.begin(dims).map(|()| Some(&**it)),
        }
    }

    /// The same elements in another dtype.
    ///
    /// # Errors
    ///
    /// As [`Tensor::to_dtype`].
    #[inline]
    pub fn into_dtype(self, dtype: DType) -> Result<Source<'a>> {
        if self.dtype() == dtype { Ok(self) } else { self.cast(dtype) }
    }

    fn cast(self, dtype: DType) -> Result<Source<'a>> {
        warning::check_cast(self.dtype(), dtype);
        Ok(Source(match self.0 {
            Of::Tensor(it) => Of::Tensor(Cow::Owned(it.to_dtype(dtype)?)),
            Of::Fused(it) => Of::Fused(Box::new(it.into_dtype(dtype))),
        }))
    }
}

impl<'a> From<&'a Tensor> for Source<'a> {
    #[inline]
    fn from(tensor: &'a Tensor) -> Source<'a> {
        Source(Of::Tensor(Cow::Borrowed(tensor)))
    }
}

/// Along which dimensions a reduction folds what has so many dimensions and this dtype; none if it
/// does not.
pub fn dims_of(
    ndim: usize,
    dtype: DType,
    reduction: impl FnOnce(Source<'_>) -> Result<()>,
) -> Option<DimSet> {
    let question = Question { shape: vec![2; ndim], dtype, dims: OnceLock::new() };
    // It ends with the error that tells it to go no further.
    drop(reduction(Source::made(&question)));
    question.dims.into_inner()
}

/// Makes no elements, and notes what is asked for.
struct Question {
    shape: Vec<i64>,
    dtype: DType,
    dims: OnceLock<DimSet>,
}

impl Feed for Question {
    fn shape(&self) -> &[i64] {
        &self.shape
    }

    fn dtype(&self) -> DType {
        self.dtype
    }

    fn begin(&self, dims: DimSet) -> Result<()> {
        self.dims.get_or_init(|| dims);
        Err(nothing())
    }

    fn hand(&self, _: Range<usize>) -> Result<Box<dyn Hand + '_>> {
        Err(nothing())
    }
}

fn nothing() -> Error {
    Error::runtime("nothing is made")
}
