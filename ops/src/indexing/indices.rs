//! The numbers in an index tensor, each of which is read once.
//!
//! The memory of a tensor may be lent by somebody else, who may write to it at
//! any time. What was checked must be what is used, so nothing here hands out
//! the memory itself: a number is a value when a kernel gets it, and whether it
//! is in range is asked of that value.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering};

use opwright_runtime::{DType, Result, Tensor, ensure};

use opwright_runtime::parallel::Pointer;

/// How many numbers are looked at between two checks for an interrupt.
pub(crate) const BLOCK: usize = 1 << 16;

/// The numbers in an index tensor, in row-major order.
pub(crate) struct Indices {
    /// Contiguous `int64`, and what keeps `first` valid.
    tensor: Tensor,
    first: Pointer<i64>,
}

impl Indices {
    /// # Errors
    ///
    /// `NotImplemented` on the meta device.
    pub(crate) fn new(tensor: &Tensor) -> Result<Indices> {
        ensure!(
            !tensor.device().is_meta(),
            NotImplemented,
            "cannot read the indices of a meta tensor: it has none"
        );
        let tensor = tensor.to_dtype(DType::Int64)?.to_contiguous()?;
        let first = Pointer(tensor.data_ptr().cast());
        Ok(Indices { tensor, first })
    }

    pub(crate) fn shape(&self) -> &[i64] {
        self.tensor.shape()
    }

    pub(crate) fn count(&self) -> usize {
        self.tensor.numel()
    }

    /// Those at some positions; each call of `next` reads one.
    #[inline(always)]
    pub(crate) fn range(
        &self,
        range: Range<usize>,
    ) -> impl ExactSizeIterator<Item = i64> + use<'_> {
        assert!(range.start <= range.end && range.end <= self.count(), "these are not all there");
        range.map(|at| {
            // SAFETY: the elements of the tensor are `i64`, contiguous and
            // aligned, and the position is below their count.
            unsafe { AtomicI64::from_ptr(self.first.at(at as isize)).load(Ordering::Relaxed) }
        })
    }

    /// All of them.
    #[inline(always)]
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = i64> + use<'_> {
        self.range(0..self.count())
    }
}
