//! Kernels along one dimension.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_runtime::{DType, Device, Error, Tensor, along_dim, view};
use proptest::prelude::*;

use crate::sample::{at, indices, shape, view_of};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn running_totals(
        (input, out, dim) in shape().prop_flat_map(|shape| {
            let ndim = shape.len();
            (view_of(shape.clone(), true), view_of(shape, false), 0..ndim.max(1))
        }),
    ) {
        let (input, mut out) = (input.cook(DType::Int32, 1), out.cook(DType::Int64, 0));
        // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
        unsafe { along_dim::unary(&input, &mut out, dim, |lane: ArrayView1<'_, i32>, mut target| {
            let mut total = 0;
            for (slot, &value) in target.iter_mut().zip(lane) {
                total += i64::from(value);
                *slot = total;
            }
            Ok(())
        }).unwrap() };
        for index in indices(out.shape()) {
            let mut before = index.clone();
            let last = index.get(dim).copied().unwrap_or(0);
            let mut total = 0;
            for i in 0..=last {
                if let Some(slot) = before.get_mut(dim) {
                    *slot = i;
                }
                total += at(&input, &before).wrap::<i64>();
            }
            prop_assert_eq!(at(&out, &index), total.into());
        }
    }
}

#[test]
fn lanes_may_differ_in_length_and_come_in_pairs() {
    let x = Tensor::from_slice(&[2, 3], &[3.0_f32, 1.0, 2.0, 6.0, 4.0, 5.0]).unwrap();
    let mut least = Tensor::allocate(&[2, 1], DType::Float32, Device::Cpu).unwrap();
    let mut sorted = Tensor::allocate(&[2, 3], DType::Float32, Device::Cpu).unwrap();
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    unsafe {
        along_dim::unary_pair(
            &x,
            (&mut sorted, &mut least),
            1,
            |lane: ArrayView1<'_, f32>, mut target, mut first| {
                let mut values: Vec<f32> = lane.to_vec();
                values.sort_by(f32::total_cmp);
                first[0] = values[0];
                target.assign(&ArrayView1::from(&values));
                Ok(())
            },
        )
        .unwrap()
    };
    assert_eq!(sorted.to_vec::<f32>().unwrap(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(least.to_vec::<f32>().unwrap(), [1.0, 4.0]);
    let mut totals = Tensor::allocate(&[2, 1], DType::Float32, Device::Cpu).unwrap();
    let dots = |a: ArrayView1<'_, f32>, b: ArrayView1<'_, f32>, mut out: ArrayViewMut1<'_, f32>| {
        out[0] = a.dot(&b);
        Ok(())
    };
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    unsafe { along_dim::binary(&x, &sorted, &mut totals, 1, dots).unwrap() };
    assert_eq!(totals.to_vec::<f32>().unwrap(), [11.0, 74.0]);
}

#[test]
fn a_lane_that_fails_is_the_last() {
    let x = Tensor::allocate(&[100, 40], DType::Float32, Device::Cpu).unwrap();
    let mut out = x.copy().unwrap();
    let refuse =
        |_: ArrayView1<'_, f32>, _: ArrayViewMut1<'_, f32>| Err(Error::value("not this one"));
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    let error = unsafe { along_dim::unary(&x, &mut out, 1, refuse) }.unwrap_err();
    assert_eq!(error.message(), "not this one");
}

#[test]
fn lanes_of_an_output_stay_apart_from_inputs() {
    let x = Tensor::allocate(&[2, 3], DType::Float32, Device::Cpu).unwrap();
    let mut alias = x.clone();
    let keep = |_: ArrayView1<'_, f32>, _: ArrayViewMut1<'_, f32>| Ok(());
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    assert!(unsafe { along_dim::unary(&x, &mut alias, 0, keep) }.is_err());
    let mut other = Tensor::allocate(&[2, 4], DType::Float32, Device::Cpu).unwrap();
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    assert!(unsafe { along_dim::unary(&x, &mut other, 0, keep) }.is_err());
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    assert!(unsafe { along_dim::unary(&x, &mut other, 2, keep) }.is_err());
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    assert!(unsafe { along_dim::unary(&x, &mut other, 1, keep) }.is_ok());
}

#[test]
fn lanes_without_elements_are_not_visited() {
    let empty = Tensor::allocate(&[0, 1 << 20, 1 << 30], DType::Float32, Device::Cpu).unwrap();
    let mut out = empty.copy().unwrap();
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    unsafe {
        along_dim::unary(
            &empty,
            &mut out,
            0,
            |_: ArrayView1<'_, f32>, _: ArrayViewMut1<'_, f32>| {
                unreachable!("there is nothing to write")
            },
        )
        .unwrap()
    };
}

#[test]
fn any_byte_but_zero_is_true_in_lanes() {
    let bytes = |bytes: &[u8]| {
        let bytes = Tensor::from_slice(&[bytes.len() as i64], bytes).unwrap();
        view::reinterpret(&bytes, DType::Bool).unwrap()
    };
    let (truths, mut out) = (bytes(&[0, 2, 1, 255]), bytes(&[7; 4]));
    // SAFETY: the function uses nothing but its lanes, and nobody else has the tensors.
    unsafe {
        along_dim::unary(&truths, &mut out, 0, |lane: ArrayView1<'_, bool>, mut out| {
            out.assign(&lane);
            out[0] |= lane[1] == lane[2] && lane[2] == lane[3];
            Ok(())
        })
        .unwrap()
    };
    let bytes = view::reinterpret(&out, DType::UInt8).unwrap();
    assert_eq!(bytes.to_vec::<u8>().unwrap(), [1; 4]);
}
