//! Sums, products and quotients, called from Rust.

use opwright_ops::{TensorOps, add, add_, clamp, div, mul, pow, remainder, sub};
use opwright_runtime::{DType, Device, ErrorKind, Result, RoundingMode, Scalar, Tensor};

fn int8(values: &[i8]) -> Tensor {
    Tensor::from_slice(&[values.len() as i64], values).unwrap()
}

fn float(values: &[f32]) -> Tensor {
    Tensor::from_slice(&[values.len() as i64], values).unwrap()
}

#[test]
fn one_kernel_gives_all_variants() -> Result<()> {
    let (a, b) = (float(&[1.0, 2.0]), float(&[10.0, 20.0]));
    assert_eq!(a.add(&b)?.to_vec::<f32>()?, [11.0, 22.0]);
    assert_eq!(add::Tensor::call(&a, &b, 2.into())?.to_vec::<f32>()?, [21.0, 42.0]);

    let mut out = Tensor::zeroed(&[0], DType::Float64, Device::Cpu)?;
    add::out::call(&a, &b, 1.into(), &mut out)?;
    assert_eq!(out.to_vec::<f64>()?, [11.0, 22.0]);

    let mut c = a.copy()?;
    add_::Tensor::call(&mut c, &b, 1.into())?;
    assert_eq!(c.to_vec::<f32>()?, [11.0, 22.0]);

    let meta = Tensor::allocate(&[2], DType::Int32, Device::Meta)?;
    let sum = meta.add(&Tensor::allocate(&[3, 1], DType::Float16, Device::Meta)?)?;
    assert_eq!((sum.shape(), sum.dtype()), (&[3, 2][..], DType::Float16));
    Ok(())
}

#[test]
fn integers_wrap_and_stay() -> Result<()> {
    let a = int8(&[100, -100]);
    assert_eq!(mul::Scalar::call(&a, 2.into())?.to_vec::<i8>()?, [-56, 56]);
    assert_eq!(sub::Scalar::call(&a, 300.into(), 1.into())?.to_vec::<i8>()?, [56, 112]);
    assert_eq!(add::Scalar::call(&a, 1.5.into(), 1.into())?.dtype(), DType::Float32);
    Ok(())
}

#[test]
fn quotients_are_rounded_as_asked() -> Result<()> {
    let (a, b) = (int8(&[-7, 7, -7, 7]), int8(&[2, 2, -2, -2]));
    let mode = |it| div::Tensor_mode::call(&a, &b, it);
    assert_eq!(mode(None)?.to_vec::<f32>()?, [-3.5, 3.5, 3.5, -3.5]);
    assert_eq!(mode(Some(RoundingMode::Floor))?.to_vec::<i8>()?, [-4, 3, 3, -4]);
    assert_eq!(mode(Some(RoundingMode::Trunc))?.to_vec::<i8>()?, [-3, 3, 3, -3]);
    assert_eq!(remainder::Tensor::call(&a, &b)?.to_vec::<i8>()?, [1, 1, -1, -1]);
    let error = remainder::Scalar::call(&a, 256.into()).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Runtime, "integers cannot be divided by zero")
    );
    Ok(())
}

#[test]
fn powers_of_integers_are_integers() -> Result<()> {
    let a = int8(&[-1, 0, 1, 2, 3]);
    assert_eq!(pow::Tensor_Scalar::call(&a, 3.into())?.to_vec::<i8>()?, [-1, 0, 1, 8, 27]);
    assert_eq!(pow::Tensor_Tensor::call(&a, &int8(&[-3]))?.to_vec::<i8>()?, [-1, 0, 1, 0, 0]);
    assert!(pow::Tensor_Scalar::call(&a, (-3).into()).is_err());
    assert_eq!(pow::Scalar::call(2.into(), &a)?.to_vec::<i8>()?, [0, 1, 2, 4, 8]);
    Ok(())
}

#[test]
fn nan_passes_through_a_range() -> Result<()> {
    let a = float(&[f32::NAN, -5.0, 0.5, 5.0]);
    let low = Some(Scalar::Int(0));
    let clamped = clamp::Default_::call(&a, low, Some(1.into()))?.to_vec::<f32>()?;
    assert!(clamped[0].is_nan());
    assert_eq!(clamped[1..], [0.0, 0.5, 1.0]);
    assert!(clamp::Default_::call(&a, None, None).is_err());
    Ok(())
}
