//! Views of the same memory, by every route.

use ndarray::IxDyn;
use opwright_runtime::{DType, Device, ErrorKind, Tensor, view};
use proptest::prelude::*;

use crate::sample::{at, dtype, elements, indices, shape, view_of};

proptest! {
    #[test]
    fn arrays_show_what_views_have(view in shape().prop_flat_map(|it| view_of(it, true))) {
        let tensor = view.cook(DType::Int64, 0);
        let array = tensor.array::<i64>().unwrap();
        for index in indices(tensor.shape()) {
            let place: Vec<usize> = index.iter().map(|&it| it as usize).collect();
            prop_assert_eq!(at(&tensor, &index), array[IxDyn(&place)].into());
        }
    }

    #[test]
    fn writable_arrays_reach_the_same(view in shape().prop_flat_map(|it| view_of(it, false))) {
        let mut tensor = view.cook(DType::Int64, 0);
        let copy = tensor.copy().unwrap();
        for value in tensor.array_mut::<i64>().unwrap() {
            *value = -*value;
        }
        for (after, before) in elements(&tensor).into_iter().zip(elements(&copy)) {
            prop_assert_eq!(after.wrap::<i64>(), -before.wrap::<i64>());
        }
    }

    #[test]
    fn another_shape_keeps_the_order(
        view in shape().prop_flat_map(|it| view_of(it, true)),
        cut in 1..5_i64,
    ) {
        let tensor = view.cook(DType::Int64, 0);
        let count = tensor.numel() as i64;
        for shape in [vec![count], vec![1, count, 1], vec![-1, 1], vec![cut, -1]] {
            if shape.contains(&-1) && (count == 0 || count % cut != 0) {
                continue;
            }
            let other = view::reshape(&tensor, &shape).unwrap();
            prop_assert_eq!(elements(&other), elements(&tensor));
            if let Some(shared) = view::with_shape(&tensor, &shape).unwrap() {
                prop_assert!(shared.storage().unwrap().is_same(tensor.storage().unwrap()));
                prop_assert_eq!(elements(&shared), elements(&tensor));
            }
        }
    }

    #[test]
    fn compact_copies_have_the_same_elements(
        view in shape().prop_flat_map(|it| view_of(it, true)),
        dtype in dtype(),
    ) {
        let tensor = view.cook(dtype, 0);
        let compact = tensor.to_contiguous().unwrap();
        prop_assert!(compact.is_contiguous());
        prop_assert_eq!(elements(&compact), elements(&tensor));
        prop_assert_eq!(compact.is_same(&tensor), tensor.is_contiguous());
    }
}

fn ramp(shape: &[i64]) -> Tensor {
    let count: i64 = shape.iter().product();
    Tensor::from_vec(shape, (0..count).collect()).unwrap()
}

#[test]
fn indices_out_of_range_are_errors() {
    let x = ramp(&[2, 3]);
    assert_eq!(view::select(&x, 1, 3).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(view::select(&x, 1, -4).unwrap_err().kind(), ErrorKind::Index);
    assert_eq!(view::select(&x, 2, 0).unwrap_err().kind(), ErrorKind::Index);
    assert!(view::narrow(&x, 0, 1, 2).is_err());
    assert!(view::narrow(&x, 0, i64::MAX, 1).is_err());
    assert!(view::narrow(&x, 0, 3, 0).is_err());
    assert!(view::slice(&x, 0, 0, 2, 0).is_err());
    assert_eq!(view::slice(&x, 1, i64::MIN, i64::MAX, i64::MAX).unwrap().shape(), [2, 1]);
    assert!(view::permute(&x, &[0, 0]).is_err());
    assert!(view::permute(&x, &[0]).is_err());
    assert!(view::squeeze(&x, 0).is_err());
    assert!(view::unsqueeze(&x, 3).is_err());
    assert!(view::expand(&x, &[3, 3]).is_err());
    assert!(x.size_of(2).is_err());
    assert!(x.to_scalar().is_err());
}

#[test]
fn a_geometry_stays_within_its_storage() {
    let x = ramp(&[6]);
    assert_eq!(
        view::as_strided(&x, &[2, 2], &[3, 2], 0).unwrap().to_vec::<i64>().unwrap(),
        [0, 2, 3, 5]
    );
    for (shape, strides, offset) in [
        (&[7][..], &[1][..], 0),
        (&[2, 2], &[3, 3], 0),
        (&[2, 2], &[3, 2], 1),
        (&[6], &[1], 1),
        (&[2], &[-1], 0),
        (&[2], &[i64::MAX], 0),
        (&[3], &[i64::MAX], 0),
        (&[1], &[1], i64::MAX),
        (&[1], &[1], -1),
        (&[2], &[1, 1], 0),
        (&[-1], &[1], 0),
        (&[i64::MAX, i64::MAX], &[0, 0], 0),
    ] {
        assert!(
            view::as_strided(&x, shape, strides, offset).is_err(),
            "{shape:?} {strides:?} {offset}"
        );
    }
    assert_eq!(view::as_strided(&x, &[0], &[i64::MAX], i64::MAX).unwrap().numel(), 0);
    let reversed = view::as_strided(&x, &[6], &[-1], 5).unwrap();
    assert_eq!(reversed.to_vec::<i64>().unwrap(), [5, 4, 3, 2, 1, 0]);
}

#[test]
fn diagonals() {
    let x = ramp(&[3, 4]);
    let diagonal = |shift| view::diagonal(&x, 0, 1, shift).unwrap().to_vec::<i64>().unwrap();
    assert_eq!(diagonal(0), [0, 5, 10]);
    assert_eq!(diagonal(2), [2, 7]);
    assert_eq!(diagonal(-2), [8]);
    assert_eq!(diagonal(4), [0; 0]);
    assert_eq!(diagonal(i64::MIN), [0; 0]);
    assert_eq!(diagonal(i64::MAX), [0; 0]);
    let deep = ramp(&[2, 3, 2]);
    assert_eq!(
        view::diagonal(&deep, 2, 0, 0).unwrap().to_vec::<i64>().unwrap(),
        [0, 7, 2, 9, 4, 11]
    );
}

#[test]
fn bytes_become_other_elements() {
    let x = Tensor::from_slice(&[2, 2], &[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
    let words = view::reinterpret(&x, DType::Int32).unwrap();
    assert_eq!(words.to_vec::<i32>().unwrap()[0], 1.0_f32.to_bits() as i32);
    assert_eq!(view::reinterpret(&x, DType::UInt8).unwrap().shape(), [2, 8]);
    let complex = view::reinterpret(&x, DType::Complex64).unwrap();
    assert_eq!((complex.shape(), complex.strides()), (&[2, 1][..], &[1, 1][..]));
    assert_eq!(view::imag(&complex).unwrap().to_vec::<f32>().unwrap(), [2.0, 4.0]);
    assert_eq!(view::real(&complex).unwrap().to_vec::<f32>().unwrap(), [1.0, 3.0]);
    assert!(view::real(&x).is_err());
    assert!(view::reinterpret(&x, DType::Complex128).is_err());
    assert!(view::reinterpret(&view::transpose(&x, 0, 1).unwrap(), DType::Float64).is_err());
    assert!(view::reinterpret(&view::narrow(&x, 1, 1, 1).unwrap(), DType::Float64).is_err());
}

#[test]
fn a_handle_gets_another_shape_and_others_do_not_see_it() {
    let mut x = ramp(&[6]);
    let other = x.clone();
    x.set_shape(&[2, 2]).unwrap();
    assert_eq!((x.shape(), other.shape()), (&[2, 2][..], &[6][..]));
    assert!(x.storage().unwrap().is_same(other.storage().unwrap()));
    x.set_shape(&[10]).unwrap();
    assert!(!x.storage().unwrap().is_same(other.storage().unwrap()));
    assert!(x.set_shape(&[-1]).is_err());
    assert!(x.set_shape(&[1 << 40, 1 << 40]).is_err());
    assert_eq!(x.shape(), [10]);
}

#[test]
fn meta_tensors_have_everything_but_elements() {
    let x = Tensor::allocate(&[1 << 30, 1 << 20], DType::Float64, Device::Meta).unwrap();
    assert_eq!(view::select(&x, 0, 5).unwrap().shape(), [1 << 20]);
    assert!(x.data_ptr().is_null());
    assert_eq!(x.array::<f64>().unwrap_err().kind(), ErrorKind::NotImplemented);
    assert!(view::select(&view::select(&x, 0, 0).unwrap(), 0, 0).unwrap().to_scalar().is_err());
    assert!(x.to_device(Device::Cpu).is_err());
    assert_eq!(x.to_dtype(DType::Bool).unwrap().dtype(), DType::Bool);
}
