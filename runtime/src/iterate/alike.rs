//! The shortest way: operands of which it is known that they lie alike.

use std::ptr;

use super::cast::cast_loop;
use super::driver::Singles;
use super::plan::{Inner, MAX_OPERANDS, Run};
use crate::{DType, Tensor};

/// Fills a new tensor from operands that are of its shape in row-major order, and of the dtype of
/// `leader`, which is one of them; or are single numbers, which are brought to that dtype.
///
/// # Safety
///
/// They are, and the loop is one of as many, of that dtype and of the dtype of the new tensor.
#[inline(always)]
pub(super) unsafe fn run<const N: usize>(
    inner: Inner<'_>,
    out: &Tensor,
    leader: &Tensor,
    operands: [&Tensor; N],
) {
    let singles = Singles::<MAX_OPERANDS>::new();
    let (mut ptrs, mut strides) = ([ptr::null_mut(); MAX_OPERANDS], [0; MAX_OPERANDS]);
    // SAFETY: the loop writes all elements before anybody else has a handle.
    ptrs[0] = unsafe { out.unwritten_ptr() };
    strides[0] = out.dtype().size() as isize;
    let size = leader.dtype().size();
    for (k, operand) in (1..).zip(operands) {
        if operand.is_wrapped_number() {
            ptrs[k] = number(operand, leader.dtype(), singles.slot(k));
        } else {
            (ptrs[k], strides[k]) = (operand.data_ptr_of(size), size as isize);
        }
    }
    inner(&Run { ptrs: &ptrs, strides: &strides, count: out.numel(), position: 0 });
    // SAFETY: the loop has one output, as the caller says, and has written every element.
    unsafe { out.assume_all_written() };
}

/// Where a number is in this dtype: in its own memory or, after it was cast, in the slot.
#[cold]
fn number(operand: &Tensor, dtype: DType, slot: *mut u8) -> *mut u8 {
    if operand.dtype() == dtype {
        return operand.data_ptr();
    }
    let convert = cast_loop(operand.dtype(), dtype);
    // SAFETY: a number is one element, and a slot holds any.
    unsafe { convert(slot, 0, operand.data_ptr(), 0, 1) };
    slot
}
