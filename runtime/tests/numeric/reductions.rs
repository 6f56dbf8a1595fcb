//! Reductions against one element at a time.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce, reduce_indexed, reduce_indexed_pair};
use opwright_runtime::{DType, Device, Tensor, interrupt, iterate, view};
use proptest::prelude::*;

use crate::sample::{Recipe, at, dtype, elements, indices, shape, view_of};

/// An input, the dimensions to reduce, whether they are kept with size one,
/// and the geometry of the output.
fn cases() -> impl Strategy<Value = (Recipe, Vec<i64>, bool, Recipe)> {
    (shape(), any::<[bool; 4]>(), any::<bool>()).prop_flat_map(|(shape, flags, keep)| {
        let dims: Vec<i64> = (0..shape.len()).filter(|&it| flags[it]).map(|it| it as i64).collect();
        let set = DimSet::new(&dims, shape.len()).unwrap();
        let out = set.reduced_shape(&shape, keep).to_vec();
        (view_of(shape, true), Just(dims), Just(keep), view_of(out, false))
    })
}

/// The elements that belong to each element of the result, in row-major order.
fn groups(input: &Tensor, dims: DimSet) -> BTreeMap<Vec<i64>, Vec<i64>> {
    let mut groups: BTreeMap<Vec<i64>, Vec<i64>> = BTreeMap::new();
    for index in indices(&dims.reduced_shape(input.shape(), true)) {
        groups.insert(index, vec![]);
    }
    for index in indices(input.shape()) {
        let kept = index.iter().enumerate().map(|(d, &i)| if dims.contains(d) { 0 } else { i });
        let group = groups.entry(kept.collect()).or_default();
        group.push(at(input, &index).wrap());
    }
    groups
}

proptest! {
    #[test]
    fn totals((input, dims, keep, out) in cases(), dtypes in (dtype(), dtype())) {
        let (input, mut out) = (input.cook(dtypes.0, -4), out.cook(dtypes.1, 0));
        let dims = DimSet::new(&dims, input.ndim()).unwrap();
        prop_assert_eq!(out.ndim() == input.ndim() || !keep, true);
        let fold = Fold {
            start: 0_i64,
            fold: |all, it: i64| all + it,
            combine: |a, b| a + b,
            finish: |all| all,
        };
        reduce(&input, dims, &mut out, fold).unwrap();
        for (value, group) in elements(&out).into_iter().zip(groups(&input, dims).values()) {
            let expected = crate::sample::through(dtypes.1, group.iter().sum::<i64>().into());
            prop_assert_eq!(value, expected);
        }
    }

    #[test]
    fn first_greatest_with_its_place((input, dims, _, out) in cases()) {
        let (input, mut values) = (input.cook(DType::Int32, 0), out.cook(DType::Int32, 0));
        // Every value several times, so that ties matter.
        let input = {
            let mut folded = input.copy().unwrap();
            iterate::unary(&input, &mut folded, |it: i32| it % 4).unwrap();
            folded
        };
        let mut places = Tensor::allocate(values.shape(), DType::Int64, Device::Cpu).unwrap();
        let dims = DimSet::new(&dims, input.ndim()).unwrap();
        let better = |a: (i32, i64), b: (i32, i64)| {
            if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a }
        };
        let fold = Fold {
            start: (i32::MIN, i64::MAX),
            fold: |all, it: i32, place: usize| better(all, (it, place as i64)),
            combine: better,
            finish: |all| all,
        };
        reduce_indexed_pair(&input, dims, (&mut values, Some(&mut places)), fold).unwrap();
        let results = elements(&values).into_iter().zip(elements(&places));
        for ((value, place), group) in results.zip(groups(&input, dims).values()) {
            let Some(&greatest) = group.iter().max() else { continue };
            prop_assert_eq!(value, greatest.into());
            let expected = group.iter().position(|&it| it == greatest).unwrap();
            prop_assert_eq!(place, (expected as i64).into());
        }
    }
}

fn total_of(input: &Tensor, dims: DimSet) -> Tensor {
    let shape = dims.reduced_shape(input.shape(), false);
    let mut out = Tensor::allocate(&shape, DType::Float32, Device::Cpu).unwrap();
    let fold = Fold {
        start: 0.0_f32,
        fold: |all, it: f32| all + it,
        combine: |a, b| a + b,
        finish: |all| all,
    };
    reduce(input, dims, &mut out, fold).unwrap();
    out
}

#[test]
fn long_totals_are_accurate_and_repeat() {
    const N: i64 = 4_000_000;
    let x = Tensor::filled(&[N], 0.1.into(), DType::Float32, Device::Cpu).unwrap();
    let table = view::with_shape(&x, &[N / 16, 16]).unwrap().unwrap();
    let exact = 0.1_f32 as f64;
    let mut seen = Vec::new();
    for threads in [1, 2, 3] {
        iterate::set_num_threads(threads).unwrap();
        let total = total_of(&x, DimSet::full(1).unwrap()).to_vec::<f32>().unwrap();
        let columns = total_of(&table, DimSet::single(0)).to_vec::<f32>().unwrap();
        let relative = |value: f32, count: f64| (f64::from(value) / (count * exact) - 1.0).abs();
        assert!(relative(total[0], N as f64) < 1e-6, "{total:?}");
        assert!(columns.iter().all(|&it| relative(it, N as f64 / 16.0) < 1e-6), "{columns:?}");
        seen.push((total, columns));
    }
    iterate::set_num_threads(2).unwrap();
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn places_count_through_long_inputs() {
    const N: i64 = 200_000;
    let x = Tensor::from_vec(&[N], (0..N).map(|it| (it * 7919) % N).collect()).unwrap();
    let mut place = Tensor::allocate(&[], DType::Int64, Device::Cpu).unwrap();
    let better = |a: (i64, i64), b: (i64, i64)| if b.0 > a.0 { b } else { a };
    let fold = Fold {
        start: (i64::MIN, -1),
        fold: |all, it: i64, at: usize| better(all, (it, at as i64)),
        combine: better,
        finish: |all: (i64, i64)| all.1,
    };
    reduce_indexed(&x, DimSet::full(1).unwrap(), &mut place, fold).unwrap();
    let at = place.to_scalar().unwrap().to_i64().unwrap();
    assert_eq!((at * 7919) % N, N - 1);
}

#[test]
fn a_wrong_output_is_refused() {
    let x = Tensor::allocate(&[2, 3], DType::Float32, Device::Cpu).unwrap();
    let fold = || Fold {
        start: 0.0_f32,
        fold: |all, it: f32| all + it,
        combine: |a, b| a + b,
        finish: |all| all,
    };
    let mut wrong = Tensor::allocate(&[3], DType::Float32, Device::Cpu).unwrap();
    assert!(reduce(&x, DimSet::single(1), &mut wrong, fold()).is_err());
    let mut row = view::select(&x, 0, 0).unwrap();
    assert!(reduce(&x, DimSet::single(0), &mut row, fold()).is_err());
}

#[test]
fn no_list_is_as_long_as_a_stretched_input() {
    let ones = Tensor::filled(&[1], 1.into(), DType::Float32, Device::Cpu).unwrap();
    let stretched = view::expand(&ones, &[1 << 31, 1 << 31]).unwrap();
    let enough = || -> Option<interrupt::Payload> { Some(Box::new("enough")) };
    let total = || {
        let mut out = Tensor::allocate(&[], DType::Float32, Device::Cpu).unwrap();
        let fold =
            Fold { start: 0.0, fold: |a, it: f32| a + it, combine: |a, b| a + b, finish: |a| a };
        reduce(&stretched, DimSet::full(2).unwrap(), &mut out, fold)
    };
    let watched = || interrupt::watched(enough, total);
    let payload = catch_unwind(AssertUnwindSafe(watched)).unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"enough"));
}
