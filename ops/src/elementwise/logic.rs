//! Logic, where everything but 0 is true, and bits of integers and of truth values.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Bits, Integer};
use opwright_runtime::{DType, Result, Tensor, ensure};

#[native_op(logical_and.out, elementwise)]
fn logical_and_out(a: bool, other: bool) -> bool {
    a & other
}

#[native_op(logical_or.out, elementwise)]
fn logical_or_out(a: bool, other: bool) -> bool {
    a | other
}

#[native_op(logical_xor.out, elementwise)]
fn logical_xor_out(a: bool, other: bool) -> bool {
    a ^ other
}

#[native_op(logical_not.out, elementwise)]
fn logical_not_out(a: bool) -> bool {
    !a
}

#[native_op(bitwise_and.Tensor_out, elementwise, dtypes = bits)]
fn bitwise_and_tensor_out<T: Bits>(a: T, other: T) -> T {
    a & other
}

#[native_op(bitwise_or.Tensor_out, elementwise, dtypes = bits)]
fn bitwise_or_tensor_out<T: Bits>(a: T, other: T) -> T {
    a | other
}

#[native_op(bitwise_xor.Tensor_out, elementwise, dtypes = bits)]
fn bitwise_xor_tensor_out<T: Bits>(a: T, other: T) -> T {
    a ^ other
}

#[native_op(bitwise_not.out, check)]
fn bitwise_not_check(self_: &Tensor) -> Result<()> {
    ensure!(
        self_.dtype().is_integral() || self_.dtype() == DType::Bool,
        Type,
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    );
    Ok(())
}

#[native_op(bitwise_not.out, elementwise, dtypes = bits)]
fn bitwise_not_out<T: Bits>(a: T) -> T {
    !a
}

#[native_op(bitwise_left_shift.Tensor_out, elementwise, dtypes = integral)]
fn bitwise_left_shift_tensor_out<T: Integer>(a: T, other: T) -> T {
    count(other).map_or(T::ZERO, |by| a << by)
}

#[native_op(bitwise_right_shift.Tensor_out, elementwise, dtypes = integral)]
fn bitwise_right_shift_tensor_out<T: Integer>(a: T, other: T) -> T {
    match count(other) {
        Some(by) => a >> by,
        // The sign is what is left of a negative number.
        None if a < T::ZERO => T::ONE.negated(),
        None => T::ZERO,
    }
}

/// All bits are moved out by a count that is negative or too large.
#[inline(always)]
fn count<T: Integer>(by: T) -> Option<usize> {
    by.to_usize().filter(|&it| it < T::BITS as usize)
}
