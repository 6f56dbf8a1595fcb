//! What happens between a rule and a kernel.

use opwright_runtime::structured::{Spec, rule};
use opwright_runtime::{DType, Device, ErrorKind, Result, Scalar, Tensor, iterate, view};

fn ramp(shape: &[i64]) -> Tensor {
    let count: i64 = shape.iter().product();
    Tensor::from_vec(shape, (0..count).map(|it| it as f32).collect()).unwrap()
}

fn floats(tensor: &Tensor) -> Vec<f32> {
    tensor.to_vec().unwrap()
}

/// The kernel of an element-wise operator.
fn sums(a: &Tensor, b: &Tensor, out: &mut Tensor) -> Result<()> {
    iterate::binary(a, b, out, |x: f64, y: f64| x + y)
}

/// Derived from a rule and that kernel.
fn sums_into(a: &Tensor, b: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = rule::elementwise(&[a, b])?;
    let mut target = spec.target(out, &[a, b])?;
    assert_eq!(target.tensor().shape(), spec.shape());
    assert_eq!(target.tensor().dtype(), spec.dtype());
    sums(a, b, target.tensor())?;
    target.finish(out)
}

fn adds(tensor: &mut Tensor, other: &Tensor) -> Result<()> {
    let input = tensor.clone();
    let spec = rule::elementwise(&[&input, other])?;
    let mut target = spec.target_inplace(tensor, &[other])?;
    sums(&input, other, target.tensor())?;
    target.finish(tensor)
}

/// A kernel that needs its output to itself: it reverses.
fn reverses_into(a: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = rule::like_first(&[a])?;
    let mut target = spec.target(out, &[a])?;
    for index in 0..a.shape()[0] {
        let last = a.shape()[0] - 1;
        let value = view::select(a, 0, last - index)?.to_scalar()?;
        view::select(target.tensor(), 0, index)?.fill(value)?;
    }
    target.finish(out)
}

#[test]
fn outputs_take_the_shape_of_the_result() {
    let mut out = Tensor::allocate(&[0], DType::Float32, Device::Cpu).unwrap();
    sums_into(&ramp(&[2, 1]), &ramp(&[3]), &mut out).unwrap();
    assert_eq!((out.shape(), floats(&out)), (&[2, 3][..], vec![0.0, 1.0, 2.0, 1.0, 2.0, 3.0]));
    // Strides of an output that fits are kept.
    let base = ramp(&[3, 2]);
    let mut out = view::transpose(&base, 0, 1).unwrap();
    sums_into(&ramp(&[2, 1]), &ramp(&[3]), &mut out).unwrap();
    assert_eq!(floats(&base), [0.0, 1.0, 1.0, 2.0, 2.0, 3.0]);
}

#[test]
fn outputs_may_have_another_dtype_within_reason() {
    let mut wide = Tensor::allocate(&[3], DType::Complex128, Device::Cpu).unwrap();
    sums_into(&ramp(&[3]), &ramp(&[3]), &mut wide).unwrap();
    assert_eq!(floats(&wide), [0.0, 2.0, 4.0]);
    let mut narrow = Tensor::allocate(&[3], DType::Int64, Device::Cpu).unwrap();
    let error = sums_into(&ramp(&[3]), &ramp(&[3]), &mut narrow).unwrap_err();
    assert_eq!(error.message(), "result type Float can't be cast to the desired output type Long");
    let error = reverses_into(&ramp(&[3]), &mut wide).unwrap_err();
    assert_eq!(
        error.message(),
        "Expected out tensor to have dtype float32, but got complex128 instead"
    );
    let mut meta = Tensor::allocate(&[3], DType::Float32, Device::Meta).unwrap();
    let error = sums_into(&ramp(&[3]), &ramp(&[3]), &mut meta).unwrap_err();
    assert_eq!(error.message(), "Expected out tensor to have device cpu, but got meta instead");
}

#[test]
fn elementwise_outputs_may_be_inputs_but_not_overlap_them_otherwise() {
    let mut x = ramp(&[4]);
    let alias = x.clone();
    sums_into(&alias, &alias, &mut x).unwrap();
    assert_eq!(floats(&x), [0.0, 2.0, 4.0, 6.0]);
    let (mut head, tail) = (view::narrow(&x, 0, 0, 3).unwrap(), view::narrow(&x, 0, 1, 3).unwrap());
    let error = sums_into(&tail, &tail, &mut head).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Runtime);
    assert!(error.message().contains("single memory location"), "{error}");
    let mut stretched = view::expand(&view::narrow(&x, 0, 0, 1).unwrap(), &[4]).unwrap();
    assert!(sums_into(&x, &x, &mut stretched).is_err());
}

#[test]
fn other_outputs_are_staged_if_they_overlap_inputs() {
    let mut x = ramp(&[4]);
    let alias = x.clone();
    reverses_into(&alias, &mut x).unwrap();
    assert_eq!(floats(&x), [3.0, 2.0, 1.0, 0.0]);
    let (head, mut tail) = (view::narrow(&x, 0, 0, 3).unwrap(), view::narrow(&x, 0, 1, 3).unwrap());
    reverses_into(&head, &mut tail).unwrap();
    assert_eq!(floats(&x), [3.0, 1.0, 2.0, 3.0]);
    // An output that shrinks into its own storage may come to overlap.
    let mut whole = x.clone();
    reverses_into(&view::narrow(&x, 0, 1, 2).unwrap(), &mut whole).unwrap();
    assert_eq!(floats(&whole), [2.0, 1.0]);
}

#[test]
fn in_place_operators_keep_shape_and_dtype() {
    let mut x = ramp(&[2, 3]);
    adds(&mut x, &ramp(&[3])).unwrap();
    assert_eq!(floats(&x), [0.0, 2.0, 4.0, 3.0, 5.0, 7.0]);
    let mut row = ramp(&[3]);
    let error = adds(&mut row, &ramp(&[2, 3])).unwrap_err();
    assert_eq!(error.message(), "output with shape [3] doesn't match the broadcast shape [2, 3]");
    let mut whole = Tensor::from_slice(&[2], &[1_i64, 2]).unwrap();
    let half = Tensor::wrapped_number(Scalar::Float(0.5)).unwrap();
    let error = adds(&mut whole, &half).unwrap_err();
    assert_eq!(error.message(), "result type Float can't be cast to the desired output type Long");
    // A wider result is calculated in its own dtype and then cast.
    let mut narrow = Tensor::from_slice(&[2], &[200_u8, 100]).unwrap();
    adds(&mut narrow, &Tensor::from_slice(&[2], &[100_i64, 1]).unwrap()).unwrap();
    assert_eq!(narrow.to_vec::<u8>().unwrap(), [44, 101]);
    let mut stretched = view::expand(&ramp(&[1]), &[3]).unwrap();
    assert!(adds(&mut stretched, &ramp(&[3])).is_err());
}

#[test]
fn rules_say_shapes_and_dtypes() {
    let (x, n) = (ramp(&[2, 1]), Tensor::from_slice(&[3], &[1_i64, 2, 3]).unwrap());
    let dtype = |spec: Result<Spec>| spec.unwrap().dtype();
    assert_eq!(dtype(rule::elementwise(&[&x, &n])), DType::Float32);
    assert_eq!(dtype(rule::elementwise(&[&n, &n])), DType::Int64);
    assert_eq!(dtype(rule::elementwise_float(&[&n, &n])), DType::Float32);
    assert_eq!(dtype(rule::elementwise_bool(&[&x, &n])), DType::Bool);
    assert_eq!(rule::elementwise(&[&x, &n]).unwrap().shape(), [2, 3]);
    assert!(rule::elementwise(&[&ramp(&[2]), &n]).is_err());
    assert!(rule::like_first(&[]).is_err());
}

#[test]
fn results_keep_an_unusual_order_of_memory() {
    let turned = view::transpose(&ramp(&[2, 3]), 0, 1).unwrap();
    let strides = |inputs: &[&Tensor]| {
        rule::elementwise(inputs).unwrap().allocate().unwrap().strides().to_vec()
    };
    assert_eq!(strides(&[&turned]), [1, 3]);
    assert_eq!(strides(&[&turned, &turned]), [1, 3]);
    assert_eq!(strides(&[&turned, &ramp(&[2])]), [1, 3]);
    assert_eq!(strides(&[&turned, &ramp(&[3, 2])]), [1, 3]);
    assert_eq!(strides(&[&ramp(&[3, 2]), &turned]), [2, 1]);
    let gaps = view::slice(&ramp(&[4, 2]), 0, 0, 4, 2).unwrap();
    assert_eq!(strides(&[&gaps]), [2, 1]);
    let stretched = view::expand(&ramp(&[1]), &[5]).unwrap();
    assert_eq!(strides(&[&stretched]), [1]);
    let out = rule::elementwise(&[&turned]).unwrap().allocate().unwrap();
    assert_eq!(floats(&out), [0.0; 6]);
}

#[test]
fn devices_must_agree() {
    let (cpu, meta) = (ramp(&[2]), Tensor::allocate(&[2], DType::Float32, Device::Meta).unwrap());
    assert!(rule::elementwise(&[&cpu, &meta]).is_err());
    let spec = rule::elementwise(&[&ramp(&[]), &meta]).unwrap();
    assert_eq!(spec.device(), Device::Meta);
    assert!(spec.allocate().unwrap().device().is_meta());
    let mut out = Tensor::allocate(&[0], DType::Float32, Device::Meta).unwrap();
    spec.target_meta(&mut out, &[]).unwrap();
    assert_eq!(out.shape(), [2]);
    assert!(spec.target_inplace_meta(&out, &[]).is_ok());
    assert!(spec.target_inplace_meta(&view::select(&meta, 0, 0).unwrap(), &[]).is_err());
}
