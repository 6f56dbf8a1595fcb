//! From index tensors to places: offsets of elements that were checked to exist.

use opwright_runtime::{DType, Error, Result, Tensor, ensure, interrupt};

/// Whether indices may count from the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
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
        Axis { dim: 0, size: tensor.count() as i64, stride: 1 }
    }

    /// The offset of an index.
    #[inline(always)]
    pub(super) fn offset(&self, index: i64, sign: Sign) -> Option<isize> {
        let wrapped = self.wrapped(index, sign);
        // One comparison: a negative number is large without its sign.
        ((wrapped as u64) < self.size as u64).then(|| (wrapped * self.stride) as isize)
    }

    #[inline(always)]
    fn wrapped(&self, index: i64, sign: Sign) -> i64 {
        if index < 0 && sign == Sign::Any { index.wrapping_add(self.size) } else { index }
    }

    /// Fails unless all indices are within the dimension.
    fn check(&self, indices: &[i64], sign: Sign) -> Result<()> {
        let is_outside = |index: i64| self.wrapped(index, sign) as u64 >= self.size as u64;
        // Without a branch, as hardly ever one is outside.
        if !indices.iter().fold(false, |any, &it| any | is_outside(it)) {
            return Ok(());
        }
        let first = indices.iter().copied().find(|&it| is_outside(it));
        Err(self.out_of_range(first.unwrap_or_default()))
    }

    #[cold]
    pub(super) fn out_of_range(&self, index: i64) -> Error {
        Error::out_of_range(format_args!(
            "index {index} is out of bounds for dimension {} with size {}",
            self.dim, self.size
        ))
    }
}

/// How many indices are looked at between two checks for an interrupt.
const BLOCK: usize = 1 << 16;

/// The offsets of indices along one dimension, in row-major order.
///
/// # Errors
///
/// `Index` if one is out of range.
pub(super) fn along(index: &Tensor, axis: Axis, sign: Sign) -> Result<Vec<isize>> {
    let index = as_int64(index)?;
    // SAFETY: nobody writes.
    let indices = unsafe { index.as_slice::<i64>()? };
    let mut places = Vec::with_capacity(indices.len());
    for indices in indices.chunks(BLOCK) {
        interrupt::check();
        axis.check(indices, sign)?;
        places.extend(indices.iter().map(|&it| (axis.wrapped(it, sign) * axis.stride) as isize));
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
    sign: Sign,
) -> Result<()> {
    let index = as_int64(index)?;
    // SAFETY: nobody writes.
    let indices = unsafe { index.as_slice::<i64>()? };
    for (places, indices) in places.chunks_mut(BLOCK).zip(indices.chunks(BLOCK)) {
        interrupt::check();
        axis.check(indices, sign)?;
        for (place, &at) in places.iter_mut().zip(indices) {
            *place += (axis.wrapped(at, sign) * axis.stride) as isize;
        }
    }
    Ok(())
}

/// Contiguous, and of the one dtype that loops over indices know.
pub(super) fn as_int64(index: &Tensor) -> Result<Tensor> {
    index.to_dtype(DType::Int64)?.to_contiguous()
}

/// Fails unless indices are `int64`, or `int32` where that is said.
pub(super) fn check_dtype(index: &Tensor, name: &str, allows_int32: bool) -> Result<()> {
    let fits = match index.dtype() {
        DType::Int64 => true,
        DType::Int32 => allows_int32,
        _ => false,
    };
    let expected = if allows_int32 { "int32/int64" } else { "int64" };
    ensure!(fits, Runtime, "Expected dtype {expected} for {name}, but got {}", index.dtype());
    Ok(())
}
