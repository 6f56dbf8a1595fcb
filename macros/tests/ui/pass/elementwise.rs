//! Element-wise kernels of entries, called as the tables call them.

#[path = "../fixture/ops.rs"]
#[allow(dead_code)]
mod ops;

use opwright_macros::native_op;
use opwright_runtime::dtype::{Float, Number};
use opwright_runtime::{DType, Device, Element, Scalar, Tensor};

/// The entry returns a fresh tensor.
#[native_op(hypot, elementwise, dtypes = floating, promote = float)]
fn hypot<T: Float>(x: T, y: T) -> T {
    x.hypot(y)
}

#[native_op(add.Tensor, elementwise, dtypes = number)]
fn add<T: Element + Number>(x: T, y: T, alpha: Scalar) -> T {
    x.plus(y.times(alpha.wrap()))
}

/// The entry fills what its rule describes.
#[native_op(scale.out, elementwise, dtypes = [f32, f64])]
fn scale<T: Float>(x: T, by: f64) -> T {
    x * T::constant(by)
}

/// More tensors than have a loop of their own, and a number between them.
#[native_op(blend, elementwise, dtypes = floating, promote = float)]
fn blend<T: Float>(a: T, b: T, c: T, by: f64, d: T, e: T) -> T {
    (a + b + c + d + e) * T::constant(by)
}

fn main() {
    let (x, y) = (Tensor::from_slice(&[2], &[3, 5]), Tensor::from_slice(&[1], &[4.0_f32]));
    let (x, y): (Tensor, Tensor) = (x.unwrap(), y.unwrap());
    let result = hypot::KERNEL(&x, &y).unwrap();
    assert_eq!(result.to_vec::<f32>().unwrap(), [5.0, 41.0_f32.sqrt()]);
    assert_eq!(add::KERNEL(&x, &x, 2.into()).unwrap().to_vec::<i32>().unwrap(), [9, 15]);
    let mut out = Tensor::allocate(&[1], DType::Float32, Device::Cpu).unwrap();
    scale::KERNEL(&y, 0.5, &mut out).unwrap();
    assert_eq!(out.to_vec::<f32>().unwrap(), [2.0]);
    let sum = blend::KERNEL(&x, &y, &x, 0.5, &y, &x).unwrap();
    assert_eq!(sum.to_vec::<f32>().unwrap(), [8.5, 11.5]);
    let mut out = Tensor::allocate(&[2], DType::Int32, Device::Cpu).unwrap();
    let error = scale::KERNEL(&x, 0.5, &mut out).unwrap_err();
    assert_eq!(error.to_string(), "\"scale\" not implemented for 'Int'");
}
