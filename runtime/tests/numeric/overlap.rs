//! Whether views share memory, against a set of addresses.

use std::collections::HashSet;

use opwright_runtime::tensor::{Overlap, has_internal_overlap, overlaps};
use opwright_runtime::{DType, Device, Tensor, view};
use proptest::prelude::*;

/// Any view of 60 elements.
fn view() -> impl Strategy<Value = (Vec<i64>, Vec<i64>, i64)> {
    (prop::collection::vec((1..5_i64, -7..8_i64), 0..4), 0..60_i64).prop_map(|(dims, offset)| {
        let (shape, strides) = dims.into_iter().unzip();
        (shape, strides, offset)
    })
}

/// The byte ranges of the elements, one entry for each element and byte.
fn bytes(tensor: &Tensor) -> Vec<i64> {
    let size = tensor.dtype().size() as i64;
    let mut places = vec![tensor.offset()];
    for (&count, &stride) in tensor.shape().iter().zip(tensor.strides()) {
        places = places.iter().flat_map(|at| (0..count).map(move |i| at + i * stride)).collect();
    }
    places.iter().flat_map(|at| (0..size).map(move |byte| at * size + byte)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn overlaps_are_exact(a in view(), b in view(), narrow in any::<bool>()) {
        let base = Tensor::allocate(&[60], DType::Int32, Device::Cpu).unwrap();
        let other = if narrow { view::reinterpret(&base, DType::Int16).unwrap() } else { base.clone() };
        let a = view::as_strided(&base, &a.0, &a.1, a.2);
        let b = view::as_strided(&other, &b.0, &b.1, b.2);
        let (Ok(a), Ok(b)) = (a, b) else { return Ok(()) };
        let of_a: HashSet<i64> = bytes(&a).into_iter().collect();
        let shares = bytes(&b).iter().any(|it| of_a.contains(it));
        prop_assert_eq!(overlaps(&a, &b) != Overlap::No, shares);
        let all = bytes(&a);
        prop_assert_eq!(has_internal_overlap(&a), of_a.len() < all.len());
    }

    #[test]
    fn it_does_not_matter_whose_the_memory_is(a in view(), b in view()) {
        let base = Tensor::zeroed(&[60], DType::Int32, Device::Cpu).unwrap();
        // SAFETY: the handle that is the owner keeps the memory.
        let lent = unsafe {
            let keep = Box::new(base.clone());
            Tensor::from_foreign(base.data_ptr(), &[60], &[1], DType::Int32, keep).unwrap()
        };
        let own = view::as_strided(&base, &a.0, &a.1, a.2);
        let (one, other) =
            (view::as_strided(&base, &b.0, &b.1, b.2), view::as_strided(&lent, &b.0, &b.1, b.2));
        let (Ok(own), Ok(one), Ok(other)) = (own, one, other) else { return Ok(()) };
        prop_assert_eq!(overlaps(&own, &one), overlaps(&own, &other));
        prop_assert_eq!(overlaps(&one, &own), overlaps(&other, &own));
    }
}

#[test]
fn strides_that_nobody_takes_are_not_multiplied() {
    let base = Tensor::zeroed(&[4], DType::Float64, Device::Cpu).unwrap();
    let far = view::as_strided(&base, &[2, 1], &[2, i64::MAX], 0).unwrap();
    let wide = view::as_strided(&base, &[1 << 40, 2], &[0, 1], 0).unwrap();
    assert_eq!(overlaps(&far, &base), Overlap::Partial);
    assert_eq!(overlaps(&far, &wide), Overlap::Partial);
    assert!(!has_internal_overlap(&far));
    assert!(has_internal_overlap(&wide));
}

#[test]
fn sizes_that_no_memory_has_are_told_apart_or_refused() {
    let meta = Tensor::zeroed(&[1], DType::Float64, Device::Meta).unwrap();
    let huge = |shape: &[i64], strides: &[i64]| view::as_strided(&meta, shape, strides, 0).unwrap();
    assert!(!has_internal_overlap(&huge(&[1 << 30, 1 << 30], &[1 << 30, 1])));
    assert!(has_internal_overlap(&huge(&[3, 3, 1 << 58], &[1 << 60, 1 << 60, 1])));
    assert!(has_internal_overlap(&huge(&[3, 3, 3], &[1 << 60, (1 << 60) - 1, 1])));
}
