//! Gradients of operators, compared with what is known of them.

use opwright_ops::gradient::ARITHMETIC;
use opwright_ops::{TensorOps, add, add_, mul, mul_};
use opwright_runtime::autograd::{Edge, Pass};
use opwright_runtime::{Result, Scalar, Tensor};

fn leaf(values: &[f64]) -> Tensor {
    let leaf = Tensor::from_slice(&[values.len() as i64], values).unwrap();
    leaf.set_requires_grad(true).unwrap();
    leaf
}

fn ones_like(tensor: &Tensor) -> Tensor {
    Tensor::filled(tensor.shape(), Scalar::Int(1), tensor.dtype(), tensor.device()).unwrap()
}

fn run(root: &Tensor, inputs: Option<&[Edge]>, is_recorded: bool) -> Result<Vec<Option<Tensor>>> {
    let pass = Pass {
        roots: vec![(root.gradient_edge().expect("it requires gradients"), ones_like(root))],
        keeps_graph: is_recorded,
        is_recorded,
        inputs,
        accumulates: false,
        arithmetic: ARITHMETIC,
    };
    pass.run()
}

fn backward(root: &Tensor) {
    run(root, None, false).unwrap();
}

/// The gradient of the sum of the roots, recorded.
fn grad(root: &Tensor, input: &Tensor) -> Tensor {
    let inputs = [input.gradient_edge().unwrap()];
    run(root, Some(&inputs), true).unwrap().remove(0).expect("it was used")
}

#[track_caller]
fn check(tensor: &Tensor, expected: &[f64]) {
    let found = tensor.to_vec::<f64>().unwrap();
    let is_near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_near), "{found:?}");
}

#[test]
fn formulas_are_run() {
    let (x, y) = (leaf(&[2.0, 3.0]), leaf(&[5.0]));
    let z = add::Tensor::call(&mul::Tensor::call(&x, &y).unwrap(), &x, 3.into()).unwrap();
    backward(&z);
    check(&x.grad().unwrap(), &[8.0, 8.0]);
    check(&y.grad().unwrap(), &[5.0]);
}

#[test]
fn gradients_have_gradients() {
    let x = leaf(&[0.5, 1.0]);
    let sin = x.sin().unwrap();
    let first = grad(&sin, &x);
    check(&first, &[0.5_f64.cos(), 1.0_f64.cos()]);
    let second = grad(&first, &x);
    check(&second, &[-0.5_f64.sin(), -1.0_f64.sin()]);
    check(&grad(&second, &x), &[-0.5_f64.cos(), -1.0_f64.cos()]);
}

#[test]
fn what_is_saved_is_seen_when_it_changes() {
    let x = leaf(&[2.0]);
    let mut y = x.exp().unwrap();
    add_::Tensor::call(&mut y, &x, 1.into()).unwrap();
    let error = run(&y, None, false).unwrap_err();
    assert!(error.message().contains("modified in place"), "{error}");
}

#[test]
fn calls_in_place_are_recorded() {
    let x = leaf(&[2.0]);
    let mut y = mul::Tensor::call(&x, &x).unwrap();
    mul_::Tensor::call(&mut y, &x).unwrap();
    backward(&y);
    check(&x.grad().unwrap(), &[12.0]);
    let error = mul_::Tensor::call(&mut x.clone(), &x).unwrap_err();
    assert!(error.message().contains("a leaf"), "{error}");
}

#[test]
fn numbers_are_stretched() {
    let x = leaf(&[1.0, 2.0]);
    let product = mul::Scalar::call(&x, Scalar::Int(3)).unwrap();
    backward(&product);
    check(&x.grad().unwrap(), &[3.0, 3.0]);
}
