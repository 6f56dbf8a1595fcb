//! Comparisons.

use opwright_macros::native_op;
use opwright_runtime::dtype::Ordered;

#[native_op(eq.Tensor_out, elementwise, dtypes = all)]
fn eq_tensor_out<T: PartialEq>(a: T, other: T) -> bool {
    a == other
}

#[native_op(ne.Tensor_out, elementwise, dtypes = all)]
fn ne_tensor_out<T: PartialEq>(a: T, other: T) -> bool {
    a != other
}

#[native_op(lt.Tensor_out, elementwise, dtypes = ordered)]
fn lt_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a < other
}

#[native_op(le.Tensor_out, elementwise, dtypes = ordered)]
fn le_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a <= other
}

#[native_op(gt.Tensor_out, elementwise, dtypes = ordered)]
fn gt_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a > other
}

#[native_op(ge.Tensor_out, elementwise, dtypes = ordered)]
fn ge_tensor_out<T: Ordered>(a: T, other: T) -> bool {
    a >= other
}
