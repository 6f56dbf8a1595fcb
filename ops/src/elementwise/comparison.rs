//! Comparisons, and the greater and the lesser of two.

use opwright_macros::native_op;
use opwright_runtime::dtype::Ordered;

#[native_op(eq.Tensor_out, elementwise, dtypes = all, promote = compare)]
fn eq_tensor_out<T: PartialEq>(a: T, other: T) -> bool {
    a == other
}

#[native_op(ne.Tensor_out, elementwise, dtypes = all, promote = compare)]
fn ne_tensor_out<T: PartialEq>(a: T, other: T) -> bool {
    a != other
}

#[native_op(lt.Tensor_out, elementwise, dtypes = ordered, promote = compare)]
fn lt_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a < other
}

#[native_op(le.Tensor_out, elementwise, dtypes = ordered, promote = compare)]
fn le_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a <= other
}

#[native_op(gt.Tensor_out, elementwise, dtypes = ordered, promote = compare)]
fn gt_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a > other
}

#[native_op(ge.Tensor_out, elementwise, dtypes = ordered, promote = compare)]
fn ge_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a >= other
}

/// The greater of two, or NaN if one of them is.
#[native_op(maximum.out, elementwise, dtypes = ordered)]
#[inline(always)]
pub(crate) fn maximum_out<T: Ordered>(a: T, other: T) -> T {
    if Ordered::is_nan(a) || a > other { a } else { other }
}

/// The lesser of two, or NaN if one of them is.
#[native_op(minimum.out, elementwise, dtypes = ordered)]
#[inline(always)]
pub(crate) fn minimum_out<T: Ordered>(a: T, other: T) -> T {
    if Ordered::is_nan(a) || a < other { a } else { other }
}

/// The greater of two, passing over NaN.
#[native_op(fmax.out, elementwise, dtypes = ordered)]
#[inline(always)]
fn fmax_out<T: Ordered>(a: T, other: T) -> T {
    if Ordered::is_nan(other) || a > other { a } else { other }
}

/// The lesser of two, passing over NaN.
#[native_op(fmin.out, elementwise, dtypes = ordered)]
#[inline(always)]
fn fmin_out<T: Ordered>(a: T, other: T) -> T {
    if Ordered::is_nan(other) || a < other { a } else { other }
}
