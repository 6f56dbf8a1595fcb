//! Aliasing of memory by values.

use std::ops::Range;

use crate::Tensor;
use crate::op::value::Value;

/// Whether the addresses between first and last elements overlap.
pub(super) fn may_be_shared(a: &Value, b: &Value) -> bool {
    let (Value::Tensor(a), Value::Tensor(b)) = (a, b) else { return false };
    match (addresses(a), addresses(b)) {
        (Some(a), Some(b)) => a.start < b.end && b.start < a.end,
        _ => false,
    }
}

/// From the first byte of the elements to behind the last; nothing if there are none.
fn addresses(tensor: &Tensor) -> Option<Range<usize>> {
    if tensor.numel() == 0 || tensor.storage().is_none() {
        return None;
    }
    let size = tensor.dtype().size() as i64;
    let (mut low, mut high) = (0_i64, size);
    for (extent, stride) in tensor.shape().iter().zip(tensor.strides()) {
        let reach = (extent - 1) * stride * size;
        (low, high) = (low + reach.min(0), high + reach.max(0));
    }
    let start = tensor.data_ptr().addr();
    Some(start.wrapping_add_signed(low as isize)..start.wrapping_add_signed(high as isize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view;

    #[test]
    fn ranges_of_addresses_tell() {
        let x = Tensor::from_slice(&[2, 3], &[0, 1, 2, 3, 4, 5]).unwrap();
        let row = |at| Value::Tensor(view::narrow(&x, 0, at, 1).unwrap());
        let whole = Value::Tensor(x.clone());
        assert!(may_be_shared(&whole, &row(1)));
        assert!(!may_be_shared(&row(0), &row(1)));
        let flipped = Value::Tensor(view::transpose(&x, 0, 1).unwrap());
        assert!(may_be_shared(&row(1), &flipped));
        assert!(!may_be_shared(&whole, &Value::Tensor(x.copy().unwrap())));
        let empty = Value::Tensor(view::narrow(&x, 0, 1, 0).unwrap());
        assert!(!may_be_shared(&whole, &empty) && !may_be_shared(&whole, &Value::Int(1)));
    }
}
