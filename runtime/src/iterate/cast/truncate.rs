//! Casts of `f64` to `i64`, by blocks: where all elements of one fit, none is looked at again.

use std::mem::MaybeUninit;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use super::{BLOCK, convert};
use crate::multiversion;

/// [`convert`] from `f64` to `i64`.
///
/// # Safety
///
/// As [`convert`].
pub(super) unsafe fn truncate(
    target: *mut u8,
    target_stride: isize,
    source: *const u8,
    source_stride: isize,
    count: usize,
) {
    if target_stride != 8 || source_stride != 8 {
        // SAFETY: as above.
        return unsafe { convert::<f64, i64>(target, target_stride, source, source_stride, count) };
    }
    // SAFETY: as above; there are as many side by side.
    let (source, target) = unsafe {
        let target = from_raw_parts_mut(target.cast::<MaybeUninit<i64>>(), count);
        (from_raw_parts(source.cast::<f64>(), count), target)
    };
    truncate_all(source, target);
}

/// Numbers of this size are the first that are too large: 2 to the 63.
const TOO_LARGE: f64 = -(i64::MIN as f64);

multiversion! {
    avx512 fn truncate_all(source: &[f64], target: &mut [MaybeUninit<i64>]) {
        for (from, to) in source.chunks(BLOCK).zip(target.chunks_mut(BLOCK)) {
            let mut is_fitting = true;
            for it in from {
                is_fitting &= it.abs() < TOO_LARGE;
            }
            if is_fitting {
                for (slot, it) in to.iter_mut().zip(from) {
                    // SAFETY: it is finite and, truncated, within the range.
                    slot.write(unsafe { it.to_int_unchecked() });
                }
            } else {
                for (slot, &it) in to.iter_mut().zip(from) {
                    slot.write(it as i64);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{DType, Tensor};

    /// Numbers of all sizes, and those around the end of the range.
    fn number() -> impl Strategy<Value = f64> {
        let least = i64::MIN as f64;
        let edges = vec![
            least,
            -least,
            least.next_down(),
            least.next_up(),
            (-least).next_down(),
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            -0.9,
        ];
        prop_oneof![
            20 => -1e6..1e6_f64,
            1 => prop::num::f64::ANY,
            1 => prop::sample::select(edges),
        ]
    }

    proptest! {
        #[test]
        fn blocks_are_cast_as_elements_are(numbers in prop::collection::vec(number(), 0..300)) {
            let tensor = Tensor::from_slice(&[numbers.len() as i64], &numbers).unwrap();
            let cast = tensor.to_dtype(DType::Int64).unwrap().to_vec::<i64>().unwrap();
            let expected: Vec<i64> = numbers.iter().map(|&it| it as i64).collect();
            prop_assert_eq!(cast, expected);
        }
    }
}
