//! Arithmetic of shapes, strides and dimensions.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use crate::{Error, Result, ensure};

/// The most dimensions that a tensor can have: whatever goes into dimension after dimension, also of what
/// a file says, comes to an end.
pub const MAX_DIMS: usize = 128;

/// A shape or strides; up to four dimensions need no allocation.
pub type Dims = SmallVec<[i64; 4]>;

/// A shape or strides as a value. Written out for the usual lengths, because a
/// call of `memcpy` takes longer than that.
#[inline]
pub fn to_dims(slice: &[i64]) -> Dims {
    let (inline, length) = match *slice {
        [] => ([0; 4], 0),
        [a] => ([a, 0, 0, 0], 1),
        [a, b] => ([a, b, 0, 0], 2),
        [a, b, c] => ([a, b, c, 0], 3),
        [a, b, c, d] => ([a, b, c, d], 4),
        _ => return Dims::from_slice(slice),
    };
    Dims::from_buf_and_len(inline, length)
}

/// A shape or strides of one dimension or of none, in as few instructions.
#[inline(always)]
pub(crate) fn at_most_one(number: i64, ndim: usize) -> Dims {
    debug_assert!(ndim < 2);
    let mut numbers = MaybeUninit::<[i64; 4]>::uninit();
    // SAFETY: there is room for four numbers, and the first is the only one that counts.
    unsafe {
        numbers.as_mut_ptr().cast::<i64>().write(number);
        Dims::from_buf_and_len_unchecked(numbers, ndim)
    }
}

/// Whether two shapes are equal, without a call of `memcmp`.
#[inline]
pub fn same_dims(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y)
}

/// Turns a dimension that may count from the end into an index.
///
/// A tensor without dimensions accepts 0 and -1, as upstream has it.
///
/// # Errors
///
/// `Index` if there is no such dimension.
#[inline]
pub fn wrap_dim(dim: i64, ndim: usize) -> Result<usize> {
    let count = ndim.max(1) as i64;
    if -count <= dim && dim < count {
        Ok((if dim < 0 { dim + count } else { dim }) as usize)
    } else {
        Err(dim_out_of_range(dim, count))
    }
}

#[cold]
fn dim_out_of_range(dim: i64, count: i64) -> Error {
    Error::out_of_range(format_args!(
        "Dimension out of range (expected to be in range of [{}, {}], but got {dim})",
        -count,
        count - 1
    ))
}

/// The number of elements of a shape.
///
/// # Errors
///
/// `Runtime` if a size is negative, or if there are more than [`MAX_DIMS`]; `Overflow` if the product is too large,
/// even if another size is zero, because strides must fit as well.
pub fn element_count(shape: &[i64]) -> Result<usize> {
    check_ndim(shape.len())?;
    let mut product = 1_i64;
    let mut is_empty = false;
    for &size in shape {
        ensure!(
            size >= 0,
            Runtime,
            "Trying to create tensor with negative dimension {size}: {shape:?}"
        );
        is_empty |= size == 0;
        let Some(next) = product.checked_mul(size.max(1)) else {
            return Err(size_overflow(shape));
        };
        product = next;
    }
    Ok(if is_empty { 0 } else { product as usize })
}

#[cold]
pub(crate) fn size_overflow(shape: &[i64]) -> Error {
    Error::overflow(format_args!("Storage size calculation overflowed with sizes={shape:?}"))
}

/// The row-major strides of a shape that [`element_count`] accepts. Written out for the usual
/// lengths, as in [`to_dims`].
#[inline]
pub fn contiguous_strides(shape: &[i64]) -> Dims {
    let (inline, length) = match *shape {
        [] => ([0; 4], 0),
        [_] => ([1, 0, 0, 0], 1),
        [_, b] => ([b.max(1), 1, 0, 0], 2),
        [_, b, c] => ([b.max(1) * c.max(1), c.max(1), 1, 0], 3),
        _ => return strides_one_by_one(shape),
    };
    Dims::from_buf_and_len(inline, length)
}

fn strides_one_by_one(shape: &[i64]) -> Dims {
    let mut strides = to_dims(shape);
    let mut stride = 1;
    for (slot, &size) in strides.iter_mut().zip(shape).rev() {
        *slot = stride;
        stride *= size.max(1);
    }
    strides
}

/// Whether elements lie in row-major order without gaps.
#[inline]
pub fn is_row_major(shape: &[i64], strides: &[i64]) -> bool {
    let mut expected = 1;
    for (&size, &stride) in shape.iter().zip(strides).rev() {
        if size == 0 {
            return true;
        }
        if size != 1 {
            if stride != expected {
                return shape.contains(&0);
            }
            expected *= size;
        }
    }
    true
}

/// Refuses more dimensions than a tensor can have.
///
/// # Errors
///
/// `Runtime` if there are more than [`MAX_DIMS`].
#[inline]
pub fn check_ndim(ndim: usize) -> Result<()> {
    if ndim <= MAX_DIMS { Ok(()) } else { Err(too_many_dims(ndim)) }
}

#[cold]
fn too_many_dims(ndim: usize) -> Error {
    Error::runtime(format_args!("tensors have at most {MAX_DIMS} dimensions, not {ndim}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn dims_count_from_both_ends() {
        assert_eq!(wrap_dim(-1, 3).unwrap(), 2);
        assert_eq!(wrap_dim(-1, 0).unwrap(), 0);
        assert_eq!(
            wrap_dim(3, 2).unwrap_err().message(),
            "Dimension out of range (expected to be in range of [-2, 1], but got 3)"
        );
        assert!(wrap_dim(i64::MIN, 2).is_err());
    }

    #[test]
    fn counts_are_checked() {
        assert_eq!(element_count(&[]).unwrap(), 1);
        assert_eq!(element_count(&[2, 0, 3]).unwrap(), 0);
        assert_eq!(element_count(&[1 << 40, 1 << 40]).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(element_count(&[0, 1 << 40, 1 << 40]).unwrap_err().kind(), ErrorKind::Overflow);
        assert_eq!(element_count(&[2, -1]).unwrap_err().kind(), ErrorKind::Runtime);
    }

    #[test]
    fn row_major_ignores_sizes_of_one() {
        assert!(is_row_major(&[2, 1, 3], &[3, 99, 1]));
        assert!(is_row_major(&[2, 0], &[7, 7]));
        assert!(is_row_major(&[0, 2], &[7, 7]));
        assert!(!is_row_major(&[2, 3], &[1, 2]));
        assert_eq!(contiguous_strides(&[2, 0, 3])[..], [3, 3, 1]);
    }

    #[test]
    fn strides_of_the_usual_lengths_are_those_of_all() {
        for shape in [&[][..], &[0], &[5], &[0, 0], &[4, 3], &[2, 0, 4], &[2, 3, 4, 5]] {
            assert_eq!(contiguous_strides(shape), strides_one_by_one(shape));
        }
    }
}
