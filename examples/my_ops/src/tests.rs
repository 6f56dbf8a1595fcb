//! Tests of the operators from Rust.

use opwright::ErrorKind;
use opwright::runtime::autograd::{PLAIN, Pass};
use opwright::runtime::{DType, Result, Scalar, Tensor};
use opwright::testing::Opcheck;

use crate::interval::{Interval, Labelled};
use crate::ops;
use crate::quantizer::Quantizer;

#[test]
fn operators_do_what_they_declare() {
    let by = Quantizer::new(0.25, 4).unwrap();
    let within = Interval { lo: -0.5, hi: 0.5 };
    let labelled = Labelled::new(within.clone(), "half");
    Opcheck::new(ops::OPERATORS).native(by).native(within).native(labelled).run().unwrap();
}

/// A call of an operator with these tensors.
type Call = fn(&[Tensor]) -> Result<Tensor>;

/// Differentiable operators, and places where they are smooth.
const CALLS: [(&str, Call, &[&[f64]]); 14] = [
    ("scale", |x| ops::scale::Default_::call(&x[0], 3.0), &[&[1.0, -2.0]]),
    ("times", |x| ops::times::Default_::call(&x[0], &x[1]), &[&[1.0, 2.0], &[3.0, -4.0]]),
    ("grow", |x| ops::grow::Default_::call(&x[0]), &[&[0.5, -1.0]]),
    ("norm2", |x| ops::norm2::Default_::call(&x[0], &x[1]), &[&[3.0, 1.0], &[4.0, -2.0]]),
    ("stretched", |x| ops::norm2::Default_::call(&x[0], &x[1]), &[&[3.0, 1.0], &[4.0]]),
    ("shrink", |x| ops::shrink::Default_::call(&x[0], Scalar::from(0.5)), &[&[2.0, 0.1, -3.0]]),
    (
        "multiply_add",
        |x| ops::multiply_add::Default_::call(&x[0], &x[1], &x[2]),
        &[&[3.0, 0.1], &[1.0, 2.0], &[7.0, 8.0]],
    ),
    (
        "haversine",
        |x| ops::haversine::Default_::call(&x[0], &x[1], &x[2], &x[3]),
        &[&[3.0, 0.1], &[1.0, 2.0], &[7.0, 8.0], &[9.0, 10.0]],
    ),
    ("ordered", |x| Ok(ops::ordered::Default_::call(&x[0], &x[1])?.1), &[&[3.0, 1.0], &[2.0, 4.0]]),
    ("direction", |x| ops::direction::Default_::call(&x[0]), &[&[3.0, -1.0]]),
    (
        "shrunken_norm",
        |x| ops::shrunken_norm::Default_::call(&x[0], &x[1], 0.5),
        &[&[3.0, 1.0], &[4.0, 2.0]],
    ),
    (
        "shrunken_twice",
        |x| Ok(ops::shrunken_twice::Default_::call(&x[0], 0.5)?.1),
        &[&[3.0, 0.6, -2.0]],
    ),
    (
        "cross3",
        |x| ops::cross3::Default_::call(&x[0], &x[1]),
        &[&[1.0, 2.0, -3.0], &[0.5, -1.5, 4.0]],
    ),
    (
        "smooth",
        |x| ops::smooth::Default_::call(&x[0], &x[1], 2),
        &[&[1.0, 2.0, -3.0, 0.5], &[0.5, -1.5]],
    ),
];

const STEP: f64 = 1e-5;

fn leaf(elements: &[f64]) -> Tensor {
    let leaf = Tensor::from_slice(&[elements.len() as i64], elements).unwrap();
    leaf.set_requires_grad(true).unwrap();
    leaf
}

/// The gradient of a weighted sum of a result, by each of the inputs.
fn gradients(result: &Tensor, inputs: &[Tensor], is_recorded: bool) -> Result<Vec<Option<Tensor>>> {
    let edges: Vec<_> = inputs.iter().map(|it| it.gradient_edge().unwrap()).collect();
    let pass = Pass {
        roots: vec![(result.gradient_edge().unwrap(), weights(result))],
        keeps_graph: true,
        is_recorded,
        inputs: Some(&edges),
        accumulates: false,
        arithmetic: PLAIN,
    };
    pass.run()
}

/// 1, 2, 3: so that elements count apart.
fn weights(like: &Tensor) -> Tensor {
    let weights: Vec<f64> = (1..=like.numel()).map(|it| it as f64).collect();
    Tensor::from_slice(like.shape(), &weights).unwrap()
}

fn total(result: &Tensor) -> f64 {
    let elements = result.to_vec::<f64>().unwrap();
    elements.iter().zip(1..).map(|(it, weight)| it * f64::from(weight)).sum()
}

/// The derivative of a function of elements by each of them, by differences.
fn differences(of: &dyn Fn(&[Vec<f64>]) -> f64, at: &[Vec<f64>], input: usize) -> Vec<f64> {
    let moved = |place: usize, by: f64| {
        let mut at = at.to_vec();
        at[input][place] += by;
        of(&at)
    };
    let places = 0..at[input].len();
    places.map(|it| (moved(it, STEP) - moved(it, -STEP)) / (2.0 * STEP)).collect()
}

#[track_caller]
fn near(name: &str, found: &[f64], expected: &[f64]) {
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
    let alike = found.len() == expected.len() && found.iter().zip(expected).all(is_near);
    assert!(alike, "{name}: {found:?} instead of {expected:?}");
}

#[test]
fn gradients_are_those_of_differences() {
    for (name, call, at) in CALLS {
        let at: Vec<Vec<f64>> = at.iter().map(|it| it.to_vec()).collect();
        let leaves = |at: &[Vec<f64>]| at.iter().map(|it| leaf(it)).collect::<Vec<_>>();
        let inputs = leaves(&at);
        let found = gradients(&call(&inputs).unwrap(), &inputs, false).unwrap();
        for (input, found) in found.iter().enumerate() {
            let value = |at: &[Vec<f64>]| total(&call(&leaves(at)).unwrap());
            let expected = differences(&value, &at, input);
            near(name, &found.as_ref().unwrap().to_vec::<f64>().unwrap(), &expected);
        }
    }
}

#[test]
fn gradients_have_gradients_once_more() {
    let at = vec![vec![3.0, 1.0], vec![4.0, -2.0]];
    let first = |at: &[Vec<f64>]| {
        let inputs: Vec<Tensor> = at.iter().map(|it| leaf(it)).collect();
        let result = ops::norm2::Default_::call(&inputs[0], &inputs[1]).unwrap();
        let gradients = gradients(&result, &inputs, true).unwrap();
        (inputs, gradients[0].clone().unwrap())
    };
    let (inputs, gradient) = first(&at);
    let second = gradients(&gradient, &inputs, true).unwrap();
    for (input, found) in second.iter().enumerate() {
        let expected = differences(&|at| total(&first(at).1), &at, input);
        near("norm2", &found.as_ref().unwrap().to_vec::<f64>().unwrap(), &expected);
    }
    let third = gradients(second[0].as_ref().unwrap(), &inputs[..1], false);
    let error = third.expect_err("nobody has written it");
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
    assert!(error.to_string().contains("norm2"), "{error}");
}

#[test]
fn who_refuses_gradients_says_so_by_name() {
    let x = leaf(&[1.5, 2.5]);
    for (name, result) in [
        ("behind_point", ops::behind_point::Default_::call(&x).unwrap()),
        ("between", ops::between::Default_::call(&x, &x, 0.5).unwrap()),
    ] {
        let error = gradients(&result, &[x.clone()], false).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::NotImplemented);
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(!ops::whole::Default_::call(&x).unwrap().requires_grad());
}

#[test]
fn gradients_have_the_dtypes_of_their_inputs() {
    let x = Tensor::from_slice(&[2], &[3.0_f32, 1.0]).unwrap();
    x.set_requires_grad(true).unwrap();
    let y = leaf(&[4.0, 2.0]);
    let result = ops::norm2::Default_::call(&x, &y).unwrap();
    let found = gradients(&result, &[x, y], false).unwrap();
    let dtypes: Vec<DType> = found.iter().flatten().map(Tensor::dtype).collect();
    assert_eq!(dtypes, [DType::Float32, DType::Float64]);
}

/// The elements 0, 1, 2 of a shape, less a few.
fn counted(shape: &[i64]) -> Tensor {
    let count = shape.iter().product::<i64>();
    let elements: Vec<f64> = (0..count).map(|it| (it % 7) as f64 - 2.5).collect();
    Tensor::from_slice(shape, &elements).unwrap()
}

fn row(of: &Tensor, at: i64) -> Tensor {
    opwright::runtime::view::select(of, 0, at).unwrap()
}

#[test]
fn core_dimensions_are_looped_over_those_before_them() {
    let x = counted(&[2, 1, 5]);
    let w = opwright::runtime::view::transpose(&counted(&[3, 4]), 0, 1).unwrap();
    let all = ops::smooth::Default_::call(&x, &w, 1).unwrap();
    assert_eq!(all.shape(), [2, 4, 5]);
    for (at, weights) in (0..2).flat_map(|at| (0..4).map(move |weights| (at, weights))) {
        let one = ops::smooth::Default_::call(&row(&row(&x, at), 0), &row(&w, weights), 1).unwrap();
        let found = row(&row(&all, at), weights);
        assert_eq!(found.to_vec::<f64>().unwrap(), one.to_vec::<f64>().unwrap());
    }
    let mut out = Tensor::from_slice(&[1], &[0.0]).unwrap();
    ops::smooth::out::call(&x, &w, 1, &mut out).unwrap();
    assert_eq!(out.to_vec::<f64>().unwrap(), all.to_vec::<f64>().unwrap());
    let halves = x.to_dtype(DType::Float16).unwrap();
    assert_eq!(ops::cross3::Default_::call(&x, &x).unwrap_err().kind(), ErrorKind::Runtime);
    assert_eq!(ops::smooth::Default_::call(&halves, &halves, 1).unwrap().dtype(), DType::Float16);
}

#[test]
fn gradients_of_what_was_broadcast_are_summed() {
    let (x, w) = (counted(&[2, 1, 4]), counted(&[3, 2]));
    x.set_requires_grad(true).unwrap();
    w.set_requires_grad(true).unwrap();
    let result = ops::smooth::Default_::call(&x, &w, 1).unwrap();
    let found = gradients(&result, &[x.clone(), w.clone()], false).unwrap();
    for (input, (of, found)) in [&x, &w].into_iter().zip(found).enumerate() {
        let found = found.unwrap();
        assert_eq!(found.shape(), of.shape());
        let elements = |it: &Tensor| it.to_vec::<f64>().unwrap();
        let value = |at: &[Vec<f64>]| {
            let x = Tensor::from_slice(x.shape(), &at[0]).unwrap();
            let w = Tensor::from_slice(w.shape(), &at[1]).unwrap();
            total(&ops::smooth::Default_::call(&x, &w, 1).unwrap())
        };
        let expected = differences(&value, &[elements(&x), elements(&w)], input);
        near("smooth", &found.to_vec::<f64>().unwrap(), &expected);
    }
}
