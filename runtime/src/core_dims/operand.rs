//! Addresses of the core elements of a tensor, for each index of the loop dimensions.

use smallvec::SmallVec;

use crate::geometry::{Dims, broadcast_strides, is_row_major};
use crate::{DType, Result, Tensor};

/// A tensor as the loop sees it.
pub(super) struct CoreOperand {
    start: *mut u8,
    pub(super) dtype: DType,
    /// Of the core dimensions.
    pub(super) shape: SmallVec<[usize; 4]>,
    /// In bytes, of the loop dimensions.
    pub(super) loop_strides: Dims,
    /// Sizes and strides in bytes of the core dimensions, the fewest that lead to each element.
    dims: SmallVec<[(usize, isize); 4]>,
    /// How many bytes the core elements take.
    pub(super) bytes: usize,
}

// SAFETY: it says where elements are; the loop gives each thread those of its own to write.
unsafe impl Sync for CoreOperand {}

impl CoreOperand {
    /// Those of a tensor whose first element is at `start`, in a loop of this shape.
    ///
    /// # Errors
    ///
    /// `Runtime` if its loop dimensions do not stretch to that shape.
    pub(super) fn new(
        tensor: &Tensor,
        start: *mut u8,
        core: usize,
        looped: &[i64],
    ) -> Result<CoreOperand> {
        let (shape, strides) = (tensor.shape(), tensor.strides());
        let first = shape.len() - core;
        let size = tensor.dtype().size();
        let in_bytes = |stride: i64| stride.saturating_mul(size as i64);
        let loop_strides = broadcast_strides(&shape[..first], &strides[..first], looped)?;
        let core_shape: SmallVec<[usize; 4]> =
            shape[first..].iter().map(|&it| it as usize).collect();
        let count: usize = core_shape.iter().product();
        let dims = if is_row_major(&shape[first..], &strides[first..]) {
            SmallVec::from_slice(&[(count, size as isize)])
        } else {
            let strides = strides[first..].iter().map(|&it| in_bytes(it) as isize);
            core_shape.iter().copied().zip(strides).collect()
        };
        Ok(CoreOperand {
            start,
            dtype: tensor.dtype(),
            shape: core_shape,
            loop_strides: loop_strides.iter().map(|&it| in_bytes(it)).collect(),
            dims,
            bytes: count * size,
        })
    }

    /// From the copy of one index to that of the next in the last loop dimension, in bytes: none
    /// where all see the same elements.
    #[inline]
    pub(super) fn step(&self) -> usize {
        if self.loop_strides.last() == Some(&0) { 0 } else { self.bytes }
    }

    /// Where an index of the loop dimensions leads, in bytes.
    pub(super) fn offset(&self, index: &[i64]) -> i64 {
        self.loop_strides.iter().zip(index).map(|(stride, at)| stride * at).sum()
    }

    /// Whether the end of the loop dimension after `dim`, which is of size `inner`, leads to the next
    /// index of `dim`.
    pub(super) fn steps_through(&self, dim: usize, inner: i64) -> bool {
        self.loop_strides[dim] == self.loop_strides[dim + 1].saturating_mul(inner)
    }

    /// Forgets a loop dimension.
    pub(super) fn drop_loop_dim(&mut self, dim: usize) {
        self.loop_strides.remove(dim);
    }

    /// Copies the core elements of so many indices, the first of which start at an offset, to memory
    /// side by side; those that all see once.
    ///
    /// # Safety
    ///
    /// The offset is of an index of the loop, so many follow it in the last loop dimension, and there
    /// is room for so many [steps](CoreOperand::step), and for [`bytes`](CoreOperand::bytes).
    pub(super) unsafe fn read(&self, offset: i64, count: usize, to: *mut u8) {
        let count = if self.step() == 0 { 1 } else { count };
        let from = self.start.wrapping_offset(offset as isize);
        // SAFETY: all core elements of an index are within the tensor's memory; the caller has room.
        unsafe { self.copied::<false>(from, count, to) };
        if self.dtype == DType::Bool {
            for at in 0..self.bytes * count {
                // SAFETY: these bytes were just written. Others may write any byte to a tensor.
                unsafe { *to.add(at) = u8::from(*to.add(at) != 0) };
            }
        }
    }

    /// Copies elements that lie side by side to the core elements of so many indices, the first of
    /// which start at an offset.
    ///
    /// # Safety
    ///
    /// As for [`read`](CoreOperand::read); nobody else uses the elements.
    pub(super) unsafe fn write(&self, offset: i64, count: usize, from: *mut u8) {
        let to = self.start.wrapping_offset(offset as isize);
        // SAFETY: as in `read`.
        unsafe { self.copied::<true>(to, count, from) };
    }

    unsafe fn copied<const OUT: bool>(&self, tensor: *mut u8, count: usize, dense: *mut u8) {
        let stride = self.loop_strides.last().map_or(0, |&it| it as isize);
        let outer = (count, stride);
        // SAFETY: elements are of this size, and sizes and strides are those of the loop dimension and
        // of the core dimensions.
        unsafe {
            match self.dtype.size() {
                1 => copied_run::<1, OUT>(tensor, outer, &self.dims, dense),
                2 => copied_run::<2, OUT>(tensor, outer, &self.dims, dense),
                4 => copied_run::<4, OUT>(tensor, outer, &self.dims, dense),
                8 => copied_run::<8, OUT>(tensor, outer, &self.dims, dense),
                size => {
                    debug_assert_eq!(size, 16, "no dtype has elements of another size");
                    copied_run::<16, OUT>(tensor, outer, &self.dims, dense);
                }
            };
        }
    }
}

/// Copies core elements of so many indices, so many bytes apart: all at once if they lie side by side.
///
/// # Safety
///
/// As for [`copied`].
unsafe fn copied_run<const SIZE: usize, const OUT: bool>(
    tensor: *mut u8,
    (count, stride): (usize, isize),
    dims: &[(usize, isize)],
    mut dense: *mut u8,
) {
    // SAFETY: the caller's.
    unsafe {
        match *dims {
            [(inner, step)] if step == SIZE as isize && stride == (inner * SIZE) as isize => {
                copied::<SIZE, OUT>(tensor, &[(count * inner, step)], dense);
            }
            [(1, _)] => {
                copied::<SIZE, OUT>(tensor, &[(count, stride)], dense);
            }
            _ => {
                for at in 0..count as isize {
                    dense = copied::<SIZE, OUT>(tensor.wrapping_offset(at * stride), dims, dense);
                }
            }
        }
    }
}

/// Copies elements of `SIZE` bytes between memory with strides and memory side by side, whose end is
/// returned.
///
/// # Safety
///
/// Both lead to elements in all dimensions.
unsafe fn copied<const SIZE: usize, const OUT: bool>(
    tensor: *mut u8,
    dims: &[(usize, isize)],
    mut dense: *mut u8,
) -> *mut u8 {
    // SAFETY: the caller's; arrays of bytes need no alignment.
    unsafe {
        match dims {
            [] => moved::<SIZE, OUT>(tensor, dense),
            &[(count, stride)] if stride == SIZE as isize => {
                let (from, to) = if OUT { (dense, tensor) } else { (tensor, dense) };
                to.copy_from_nonoverlapping(from, count * SIZE);
                dense.add(count * SIZE)
            }
            &[(count, stride)] => {
                for at in 0..count as isize {
                    dense = moved::<SIZE, OUT>(tensor.wrapping_offset(at * stride), dense);
                }
                dense
            }
            [(count, stride), inner @ ..] => {
                for at in 0..*count as isize {
                    let tensor = tensor.wrapping_offset(at * stride);
                    dense = copied::<SIZE, OUT>(tensor, inner, dense);
                }
                dense
            }
        }
    }
}

/// Copies one element.
///
/// # Safety
///
/// Both lead to one.
#[inline(always)]
unsafe fn moved<const SIZE: usize, const OUT: bool>(tensor: *mut u8, dense: *mut u8) -> *mut u8 {
    let (from, to) = if OUT { (dense, tensor) } else { (tensor, dense) };
    // SAFETY: the caller's; arrays of bytes need no alignment.
    unsafe {
        to.cast::<[u8; SIZE]>().write(from.cast::<[u8; SIZE]>().read());
        dense.add(SIZE)
    }
}
