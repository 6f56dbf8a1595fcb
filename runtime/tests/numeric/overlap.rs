//! Whether views share memory, against a set of addresses.

use std::collections::HashSet;

use opwright_runtime::tensor::{Overlap, has_internal_overlap, overlaps};
use opwright_runtime::{DType, Device, Tensor};
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
        let other = if narrow { base.reinterpreted(DType::Int16).unwrap() } else { base.clone() };
        let a = base.with_geometry(&a.0, &a.1, a.2);
        let b = other.with_geometry(&b.0, &b.1, b.2);
        let (Ok(a), Ok(b)) = (a, b) else { return Ok(()) };
        let of_a: HashSet<i64> = bytes(&a).into_iter().collect();
        let shares = bytes(&b).iter().any(|it| of_a.contains(it));
        prop_assert_eq!(overlaps(&a, &b) != Overlap::No, shares);
        let all = bytes(&a);
        prop_assert_eq!(has_internal_overlap(&a), of_a.len() < all.len());
    }
}
