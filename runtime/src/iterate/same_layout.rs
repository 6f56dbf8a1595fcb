//! One pass of an inner loop over operands that are known to have the same layout.

use std::ptr;

use super::cast::cast_loop;
use super::driver::Singles;
use super::plan::{Inner, MAX_OPERANDS, Run};
use super::staging::Staging;
use crate::{DType, Tensor};

/// Writes as many elements as `leader` has, of `written` bytes each, one behind the other from
/// `first` on. Operands have as many in row-major order, of the dtype of `leader`, which is one of
/// them, of `read` bytes each; or are single numbers, which are brought to that dtype. Numbers are
/// repeated for loops that do not take them as they lie.
///
/// # Safety
///
/// They are, there is room, and the loop is one of as many, of that dtype and of the one written.
#[inline(always)]
pub(super) unsafe fn run<const N: usize>(
    inner: Inner<'_>,
    first: *mut u8,
    [written, read]: [usize; 2],
    leader: &Tensor,
    operands: [&Tensor; N],
    at_any_distance: bool,
) {
    let singles = Singles::<MAX_OPERANDS>::new();
    let (mut ptrs, mut strides) = ([ptr::null_mut(); MAX_OPERANDS], [0; MAX_OPERANDS]);
    (ptrs[0], strides[0]) = (first, written as isize);
    for (k, operand) in (1..).zip(operands) {
        (ptrs[k], strides[k]) = match operand.is_wrapped_number() {
            true => (number(operand, leader.dtype(), singles.slot(k)), 0),
            false => (operand.data_ptr_of(read), read as isize),
        };
    }
    let run = Run { ptrs: &ptrs, strides: &strides, count: leader.numel(), position: 0 };
    if at_any_distance || strides[1..=N].iter().all(|&it| it != 0) {
        return inner.over(&run);
    }
    let mut sizes = [read; MAX_OPERANDS];
    sizes[0] = written;
    Staging::new(1, 1 + N, sizes).pass(&run, inner);
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
