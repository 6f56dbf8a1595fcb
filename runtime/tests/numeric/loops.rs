//! Element-wise loops against one element at a time.

use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Device, ErrorKind, Scalar, Tensor, iterate, view};
use proptest::prelude::*;

use crate::sample::{Recipe, at, at_stretched, dtype, elements, indices, shape, through, view_of};

/// A shape and one that stretches to it.
fn stretching() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    shape().prop_flat_map(|shape| {
        let ndim = shape.len();
        (Just(shape), 0..=ndim, prop::collection::vec(prop::bool::weighted(0.3), ndim)).prop_map(
            |(shape, from, ones)| {
                let sizes = shape.iter().zip(ones).map(|(&size, one)| if one { 1 } else { size });
                let other = sizes.skip(from).collect();
                (shape, other)
            },
        )
    })
}

/// Two operands, and an output of their common shape.
fn operands() -> impl Strategy<Value = (Recipe, Recipe, Recipe)> {
    stretching().prop_flat_map(|(a, b)| {
        let out = broadcast_shapes(&[&a, &b]).unwrap().to_vec();
        (view_of(a, true), view_of(b, true), view_of(out, false))
    })
}

fn number(value: Scalar) -> i64 {
    value.to_complex().re as i64
}

proptest! {
    #[test]
    fn copies_cast_every_element(
        (from, to) in stretching().prop_flat_map(|(out, source)| {
            let out = broadcast_shapes(&[&out, &source]).unwrap().to_vec();
            (view_of(source, true), view_of(out, false))
        }),
        (source_dtype, out_dtype) in (dtype(), dtype()),
    ) {
        let source = from.cook(source_dtype, -3);
        let mut out = to.cook(out_dtype, 0);
        out.copy_from(&source).unwrap();
        for index in indices(out.shape()) {
            prop_assert_eq!(at(&out, &index), through(out_dtype, at_stretched(&source, &index)));
        }
    }

    #[test]
    fn binary_loops_cast_stretch_and_stride(
        (a, b, out) in operands(),
        dtypes in (dtype(), dtype(), dtype()),
    ) {
        let (a, b, mut out) = (a.cook(dtypes.0, 0), b.cook(dtypes.1, 5), out.cook(dtypes.2, 0));
        iterate::binary(&a, &b, &mut out, |x: i32, y: i64| i64::from(x) - 2 * y).unwrap();
        for index in indices(out.shape()) {
            let x: i32 = at_stretched(&a, &index).wrap();
            let y: i64 = at_stretched(&b, &index).wrap();
            let expected = through(dtypes.2, Scalar::Int(i64::from(x) - 2 * y));
            prop_assert_eq!(at(&out, &index), expected);
        }
    }

    #[test]
    fn loops_over_blocks_cast_stretch_and_stride(
        (a, b, out) in operands(),
        dtypes in (dtype(), dtype(), dtype()),
    ) {
        let (a, b, mut out) = (a.cook(dtypes.0, 0), b.cook(dtypes.1, 5), out.cook(dtypes.2, 0));
        let doubled = |block: &mut [i64]| block.iter_mut().for_each(|it| *it *= 2);
        Each::<i64, i64>::new(DType::Int64, &mut |it| it.over_tensors([&a], [&mut out]))
            .run_blocks(doubled)
            .unwrap();
        for index in indices(out.shape()) {
            let x: i64 = at_stretched(&a, &index).wrap();
            prop_assert_eq!(at(&out, &index), through(dtypes.2, Scalar::Int(2 * x)));
        }
        let less = |block: &mut [i64], others: &[i64]| {
            block.iter_mut().zip(others).for_each(|(it, other)| *it -= other);
        };
        Each::<(i64, i64), i64>::new(DType::Int64, &mut |it| it.over_tensors([&a, &b], [&mut out]))
            .run_blocks(less)
            .unwrap();
        for index in indices(out.shape()) {
            let (x, y): (i64, i64) = (at_stretched(&a, &index).wrap(), at_stretched(&b, &index).wrap());
            prop_assert_eq!(at(&out, &index), through(dtypes.2, Scalar::Int(x - y)));
        }
    }

    #[test]
    fn ternary_and_paired_loops((a, b, out) in operands(), d in (dtype(), dtype())) {
        let (a, b, mut out) = (a.cook(d.0, 1), b.cook(d.1, 2), out.cook(DType::Int64, 0));
        let mut second = out.copy().unwrap();
        let c = Tensor::wrapped_number(Scalar::Int(7)).unwrap();
        iterate::ternary(&a, &b, &c, &mut out, |x: i64, y: i64, z: i64| x * z + y).unwrap();
        for index in indices(out.shape()) {
            let (x, y): (i64, i64) = (at_stretched(&a, &index).wrap(), at_stretched(&b, &index).wrap());
            prop_assert_eq!(number(at(&out, &index)), 7 * x + y);
        }
        iterate::binary_pair(&a, &b, (&mut out, &mut second), |x: i64, y: i64| (x + y, x - y)).unwrap();
        for index in indices(out.shape()) {
            let (x, y): (i64, i64) = (at_stretched(&a, &index).wrap(), at_stretched(&b, &index).wrap());
            prop_assert_eq!(number(at(&out, &index)), x + y);
            prop_assert_eq!(number(at(&second, &index)), x - y);
        }
    }

    #[test]
    fn loops_of_many_inputs_cast_stretch_and_stride(
        (a, b, out) in operands(),
        d in (dtype(), dtype(), dtype()),
    ) {
        let (a, b, mut out) = (a.cook(d.0, 1), b.cook(d.1, 2), out.cook(d.2, 0));
        let c = Tensor::wrapped_number(Scalar::Int(7)).unwrap();
        let before = out.copy().unwrap();
        let alias = out.clone();
        iterate::nary(
            [&a, &b, &c, &alias, &b, &a, &c, &b],
            &mut out,
            |(a, b, c, d, e, f, g, h): (i64, i32, i64, i64, i64, i32, i64, i16)| {
                a + 2 * i64::from(b) + 3 * c + 4 * d + 5 * e + 6 * i64::from(f) + 7 * g + 8 * i64::from(h)
            },
        )
        .unwrap();
        for index in indices(out.shape()) {
            let (x, y): (i64, i64) = (at_stretched(&a, &index).wrap(), at_stretched(&b, &index).wrap());
            let z: i64 = at(&before, &index).wrap();
            let expected = through(d.2, Scalar::Int(7 * x + 15 * y + 70 + 4 * z));
            prop_assert_eq!(at(&out, &index), expected);
        }
        let (mut first, mut second) = (before.copy().unwrap(), before.copy().unwrap());
        iterate::nary_pair([&a, &b, &c], (&mut first, &mut second), |(a, b, c): (i64, i64, i64)| {
            (a + b * c, a - b)
        })
        .unwrap();
        for index in indices(out.shape()) {
            let (x, y): (i64, i64) = (at_stretched(&a, &index).wrap(), at_stretched(&b, &index).wrap());
            prop_assert_eq!(at(&first, &index), through(d.2, Scalar::Int(x + 7 * y)));
            prop_assert_eq!(at(&second, &index), through(d.2, Scalar::Int(x - y)));
        }
    }

    #[test]
    fn indexed_loops_count_in_row_major_order(out in shape().prop_flat_map(|it| view_of(it, false))) {
        let mut out = out.cook(DType::Int32, 0);
        iterate::nullary_indexed(&mut out, |i| i as i64).unwrap();
        for (i, value) in elements(&out).into_iter().enumerate() {
            prop_assert_eq!(number(value), i as i64);
        }
    }

    #[test]
    fn in_place_loops_read_before_they_write(
        view in shape().prop_flat_map(|it| view_of(it, false)),
        dtype in dtype(),
    ) {
        let mut out = view.cook(dtype, 0);
        let before = elements(&out);
        let alias = out.clone();
        iterate::binary(&alias, &alias, &mut out, |x: i64, y: i64| x.wrapping_add(y)).unwrap();
        for (after, before) in elements(&out).into_iter().zip(before) {
            prop_assert_eq!(after, through(dtype, Scalar::Int(before.wrap::<i64>().wrapping_mul(2))));
        }
    }
}

#[test]
fn long_loops_give_the_same_on_any_number_of_threads() {
    const N: i64 = 300_000;
    let x = Tensor::from_vec(&[N], (0..N).collect()).unwrap();
    let y = view::transpose(&view::with_shape(&x, &[300, 1000]).unwrap().unwrap(), 0, 1).unwrap();
    let mut outs = Vec::new();
    for threads in [1, 2, 5] {
        iterate::set_num_threads(threads).unwrap();
        let mut out = Tensor::allocate(y.shape(), DType::Float64, Device::Cpu).unwrap();
        iterate::unary(&y, &mut out, |it: f64| (it * 0.1).sin()).unwrap();
        outs.push(out.to_vec::<f64>().unwrap());
        let alias = y.to_dtype(DType::Float64).unwrap();
        let mut same = alias.clone();
        Each::<f64, f64>::new(DType::Float64, &mut |it| it.over_tensors([&alias], [&mut same]))
            .run_blocks(|block| block.iter_mut().for_each(|it| *it = (*it * 0.1).sin()))
            .unwrap();
        assert_eq!(same.to_vec::<f64>().unwrap(), outs[0]);
    }
    iterate::set_num_threads(2).unwrap();
    assert_eq!(outs[0], outs[1]);
    assert_eq!(outs[0], outs[2]);
    assert_eq!(outs[0][1], (1000_f64 * 0.1).sin());
}

#[test]
fn long_transposed_loops_reach_every_element() {
    for shape in [[300, 200], [128, 128], [33, 1000], [1000, 31], [31, 600]] {
        let count = shape[0] * shape[1];
        let x = Tensor::from_vec(&shape, (0..count as i32).collect()).unwrap();
        let x = view::with_shape(&x, &[1, shape[0], 1, shape[1]]).unwrap().unwrap();
        let turned = view::permute(&x, &[3, 2, 1, 0]).unwrap();
        let turned = view::expand(&turned, &[shape[1], 2, shape[0], 1]).unwrap();
        let reversed = view::flip(&turned, 2).unwrap();
        let mut out = Tensor::allocate(turned.shape(), DType::Float64, Device::Cpu).unwrap();
        iterate::binary(&turned, &reversed, &mut out, |a: f64, b: f64| a * 1e6 + b).unwrap();
        let values = out.array::<f64>().unwrap();
        for ((index, &value), column) in values.indexed_iter().zip(0..) {
            let (c, r) = (index[0] as i64, index[2] as i64);
            let (a, b) = (r * shape[1] + c, (shape[0] - 1 - r) * shape[1] + c);
            assert_eq!(value, a as f64 * 1e6 + b as f64, "{shape:?} at {column}");
        }
    }
}

#[test]
fn loops_of_many_inputs_of_every_length() {
    for count in [1, 63, 64, 65, 1000, 10_000, 200_000] {
        for dtype in [DType::Float32, DType::Int64, DType::UInt8] {
            let filled = |value| Tensor::filled(&[count], Scalar::Int(value), dtype, Device::Cpu);
            let (mut x, two) = (filled(3).unwrap(), filled(2).unwrap());
            let (alias, one) = (x.clone(), Tensor::wrapped_number(Scalar::Int(1)).unwrap());
            let f = |(a, b, c, d): (f32, f32, f32, f32)| a * b - c + d;
            iterate::nary([&alias, &two, &two, &one], &mut x, f).unwrap();
            iterate::nary([&two, &two, &two, &alias], &mut x, f).unwrap();
            let mut fresh = filled(0).unwrap();
            iterate::nary([&x, &two, &two, &two], &mut fresh, f).unwrap();
            assert_eq!(fresh.to_vec::<i64>().unwrap(), vec![14; count as usize], "{count} {dtype}");
        }
    }
}

#[test]
fn in_place_loops_of_every_length() {
    for count in [1, 63, 64, 65, 255, 256, 257, 1000] {
        for dtype in [DType::Float32, DType::Int64, DType::UInt8] {
            let mut x = Tensor::filled(&[count], Scalar::Int(3), dtype, Device::Cpu).unwrap();
            let alias = x.clone();
            let two = Tensor::filled(&[count], Scalar::Int(2), dtype, Device::Cpu).unwrap();
            iterate::binary(&alias, &two, &mut x, |a: f32, b: f32| a * b).unwrap();
            iterate::binary(&two, &alias, &mut x, |a: f32, b: f32| a * b).unwrap();
            iterate::ternary(&two, &alias, &alias, &mut x, |a: i64, b: i64, c: i64| a + b - c)
                .unwrap();
            iterate::unary(&alias, &mut x, |a: i64| a + 5).unwrap();
            assert_eq!(x.to_vec::<i64>().unwrap(), vec![7; count as usize], "{count} {dtype}");
        }
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let x = Tensor::allocate(&[6], DType::Float32, Device::Cpu).unwrap();
    let (mut head, tail) = (view::narrow(&x, 0, 0, 5).unwrap(), view::narrow(&x, 0, 1, 5).unwrap());
    let error = iterate::unary(&tail, &mut head, |it: f32| it).unwrap_err();
    assert!(error.message().contains("single memory location"), "{error}");
    let mut stretched = view::expand(&view::narrow(&x, 0, 0, 1).unwrap(), &[6]).unwrap();
    let error = iterate::nullary(&mut stretched, || 1.0_f32).unwrap_err();
    assert!(error.message().contains("more than one element"), "{error}");
    let mut short = Tensor::allocate(&[3], DType::Float32, Device::Cpu).unwrap();
    assert!(iterate::unary(&x, &mut short, |it: f32| it).is_err());
    let mut empty = Tensor::allocate(&[0], DType::Float32, Device::Cpu).unwrap();
    assert!(iterate::unary(&x, &mut empty, |it: f32| it).is_err());
    let mut meta = Tensor::allocate(&[6], DType::Float32, Device::Meta).unwrap();
    let error = iterate::unary(&x, &mut meta, |it: f32| it).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
}
