//! The shortest way: operands of which it is known that they lie alike.

use super::cast::cast_loop;
use super::driver::Singles;
use super::plan::{Inner, MAX_OPERANDS, Run};
use crate::Tensor;

/// Fills a new tensor from operands that are of its shape in row-major order, and of the dtype of
/// `leader`, which is one of them; or are single numbers, which are brought to that dtype.
///
/// # Safety
///
/// They are, and the loop is one of as many, of that dtype and of the dtype of the new tensor.
#[inline]
pub(super) unsafe fn run(inner: Inner<'_>, out: &Tensor, leader: &Tensor, operands: &[&Tensor]) {
    let singles = Singles::<MAX_OPERANDS>::new();
    let (mut ptrs, mut strides) = ([std::ptr::null_mut(); MAX_OPERANDS], [0; MAX_OPERANDS]);
    // SAFETY: the loop writes all elements before anybody else has a handle.
    ptrs[0] = unsafe { out.unwritten_ptr() };
    strides[0] = out.dtype().size() as isize;
    let dtype = leader.dtype();
    let places = ptrs.iter_mut().zip(&mut strides).enumerate().skip(1);
    for ((k, (ptr, stride)), operand) in places.zip(operands) {
        *ptr = operand.data_ptr();
        if !operand.is_wrapped_number() {
            *stride = dtype.size() as isize;
        } else if operand.dtype() != dtype {
            let convert = cast_loop(operand.dtype(), dtype);
            // SAFETY: such a number is one element, as the caller says, and the slot holds any.
            unsafe { convert(singles.slot(k), 0, *ptr, 0, 1) };
            *ptr = singles.slot(k);
        }
    }
    inner(&Run { ptrs: &ptrs, strides: &strides, count: out.numel(), position: 0 });
    // SAFETY: the loop has one output, as the caller says, and has written every element.
    unsafe { out.assume_all_written() };
}
