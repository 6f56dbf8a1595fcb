//! From index tensors to places: offsets of elements that were checked to exist.

use opwright_runtime::{DType, Error, ErrorKind, Result, Tensor, buffer, ensure, interrupt};

use super::indices::{BLOCK, Indices};

/// Whether indices may count from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NegativeIndices {
    /// -1 is the last one.
    Any,
    /// -1 is out of range.
    Positive,
}

/// A dimension that indices refer to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Its number, for messages.
    pub(super) dim: usize,
    /// How many indices there are.
    pub(super) size: i64,
    /// The distance from one to the next, in elements.
    pub(super) stride: i64,
}

impl Axis {
    /// Dimension `dim` of a tensor; one of a single element if it has none.
    pub(super) fn of(tensor: &Tensor, dim: usize) -> Axis {
        let size = tensor.shape().get(dim).copied().unwrap_or(1);
        let stride = tensor.strides().get(dim).copied().unwrap_or(1);
        Axis { dim, size, stride }
    }

    /// All elements of a contiguous tensor as one dimension.
    pub(super) fn flat(tensor: &Tensor) -> Axis {
        Axis { dim: 0, size: tensor.numel() as i64, stride: 1 }
    }

    /// The offset of an index.
    #[inline(always)]
    pub(super) fn offset(&self, index: i64, sign: NegativeIndices) -> Option<isize> {
        let wrapped = self.wrapped(index, sign);
        // One comparison: a negative number is large without its sign.
        ((wrapped as u64) < self.size as u64).then(|| (wrapped * self.stride) as isize)
    }

    #[inline(always)]
    fn wrapped(&self, index: i64, sign: NegativeIndices) -> i64 {
        if index < 0 && sign == NegativeIndices::Any {
            index.wrapping_add(self.size)
        } else {
            index
        }
    }

    #[cold]
    pub(super) fn out_of_range(&self, index: i64, kind: ErrorKind) -> Error {
        let Axis { dim, size, stride: _ } = self;
        let message =
            format_args!("index {index} is out of bounds for dimension {dim} with size {size}");
        Error::new(kind, message)
    }
}

/// The offsets of indices along one dimension, in row-major order.
///
/// # Errors
///
/// `Index` if one is out of range.
pub(super) fn along(index: &Tensor, axis: Axis, sign: NegativeIndices) -> Result<Vec<isize>> {
    let indices = Indices::new(index)?;
    let mut places = buffer::with_capacity(indices.count())?;
    for start in (0..indices.count()).step_by(BLOCK) {
        interrupt::check();
        let block = indices.range(start..indices.count().min(start + BLOCK));
        let mut checked = Checked::new(axis, sign);
        places.extend(block.map(|index| checked.offset(index)));
        checked.finish()?;
    }
    Ok(places)
}

/// Adds the offsets of indices along a further dimension.
///
/// # Errors
///
/// `Index` if one is out of range.
pub(super) fn add_along(
    places: &mut [isize],
    index: &Tensor,
    axis: Axis,
    sign: NegativeIndices,
) -> Result<()> {
    let indices = Indices::new(index)?;
    for (start, places) in (0..indices.count()).step_by(BLOCK).zip(places.chunks_mut(BLOCK)) {
        interrupt::check();
        let mut checked = Checked::new(axis, sign);
        let block = indices.range(start..start + places.len());
        for (place, index) in places.iter_mut().zip(block) {
            *place += checked.offset(index);
        }
        checked.finish()?;
    }
    Ok(())
}

/// Offsets of indices, of which hardly ever one is out of range: so that is
/// reported at the end of a block.
struct Checked {
    axis: Axis,
    sign: NegativeIndices,
    is_outside: bool,
    /// The last index out of range, if there is one.
    outside: i64,
}

impl Checked {
    fn new(axis: Axis, sign: NegativeIndices) -> Checked {
        Checked { axis, sign, is_outside: false, outside: 0 }
    }

    /// The offset of an index; that of some element if there is no such index.
    #[inline(always)]
    fn offset(&mut self, index: i64) -> isize {
        match self.axis.offset(index, self.sign) {
            Some(offset) => offset,
            None => {
                (self.is_outside, self.outside) = (true, index);
                0
            }
        }
    }

    fn finish(self) -> Result<()> {
        if self.is_outside {
            return Err(self.axis.out_of_range(self.outside, ErrorKind::Index));
        }
        Ok(())
    }
}

/// Fails unless indices are `int64` or `int32`.
pub(super) fn check_dtype(index: &Tensor, name: &str) -> Result<()> {
    ensure!(
        matches!(index.dtype(), DType::Int64 | DType::Int32),
        Runtime,
        "Expected dtype int32/int64 for {name}, but got {}",
        index.dtype()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

    use super::*;

    /// Indices that somebody else writes to while `read` runs.
    fn while_they_change(index: &Tensor, read: impl Fn()) {
        struct Pointer(*mut u8);
        // SAFETY: the elements behind it are only reached as atomics.
        unsafe impl Sync for Pointer {}
        let (memory, is_over) = (Pointer(index.data_ptr()), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let memory = &memory;
                let mut value = 0_i64;
                while !is_over.load(Ordering::Relaxed) {
                    value ^= 1 << 40;
                    for at in 0..index.numel() {
                        // SAFETY: the tensor has so many contiguous elements.
                        let slot = unsafe { memory.0.cast::<i64>().add(at) };
                        // SAFETY: it is alive, aligned, and written to atomically.
                        unsafe { AtomicI64::from_ptr(slot) }.store(value, Ordering::Relaxed);
                    }
                }
            });
            for _ in 0..2000 {
                read();
            }
            is_over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn what_was_checked_is_what_is_used() {
        let index = Tensor::zeroed(&[4096], DType::Int64, Default::default()).unwrap();
        let axis = Axis { dim: 0, size: 10, stride: 1 };
        while_they_change(&index, || {
            if let Ok(places) = along(&index, axis, NegativeIndices::Any) {
                assert!(places.iter().all(|it| (0..10).contains(it)));
            }
            let mut places = vec![0; 4096];
            if add_along(&mut places, &index, axis, NegativeIndices::Positive).is_ok() {
                assert!(places.iter().all(|it| (0..10).contains(it)));
            }
        });
    }

    #[test]
    fn an_index_out_of_range_is_named() {
        let index = Tensor::from_slice(&[4], &[1_i64, -1, 7, 2]).unwrap();
        let axis = Axis { dim: 2, size: 3, stride: 5 };
        let error = along(&index, axis, NegativeIndices::Any).unwrap_err();
        assert_eq!(error.message(), "index 7 is out of bounds for dimension 2 with size 3");
        let index = Tensor::from_slice(&[2], &[1_i32, -1]).unwrap();
        assert_eq!(along(&index, axis, NegativeIndices::Any).unwrap(), [5, 10]);
    }
}
