use ::opwright_macros::native_op;
use ::opwright_runtime as rt;

type Outcome<T> = rt::Result<T>;
type Maybe<T> = ::core::option::Option<T>;

/// None of these is what the expansion names.
mod shadows {
    pub(super) struct Result;
    pub(super) struct Op;
    pub(super) struct Tensor;
}
#[allow(unused_imports)]
use self::shadows::{Op, Result, Tensor};

#[native_op(blend.out)]
fn blend_out(
    self_: &rt::Tensor,
    _other: &rt::Tensor,
    _weight: rt::Scalar,
    out: &mut rt::Tensor,
) -> Outcome<()> {
    out.copy_from(self_)
}

#[native_op(spread.out, rule)]
fn spread_out_rule(
    self_: &rt::Tensor,
    _mask: Maybe<&rt::Tensor>,
    _parts: &[&rt::Tensor],
    _gaps: &[Maybe<&rt::Tensor>],
    _dim: ::core::primitive::i64,
) -> Outcome<(rt::Spec, rt::Spec)> {
    let spec = || rt::Spec::new(self_.shape(), self_.dtype(), self_.device());
    ::core::result::Result::Ok((spec(), spec()))
}

#[native_op(spread.out)]
fn spread_out(
    self_: &rt::Tensor,
    _mask: Maybe<&rt::Tensor>,
    _parts: &[&rt::Tensor],
    _gaps: &[Maybe<&rt::Tensor>],
    _dim: ::core::primitive::i64,
    low: &mut rt::Tensor,
    high: &mut rt::Tensor,
) -> Outcome<()> {
    low.copy_from(self_)?;
    high.copy_from(self_)
}

#[native_op(constant)]
fn constant(
    size: &[::core::primitive::i64],
    _mode: &::core::primitive::str,
    _scale: Maybe<::core::primitive::f64>,
    dtype: Maybe<rt::DType>,
    _layout: Maybe<rt::Layout>,
    device: Maybe<rt::Device>,
    _pin_memory: Maybe<::core::primitive::bool>,
) -> Outcome<rt::Tensor> {
    let dtype = dtype.unwrap_or(rt::DType::Float32);
    rt::Tensor::zeroed(size, dtype, device.unwrap_or(rt::Device::Cpu))
}

#[native_op(described)]
fn described(
    _self_: &rt::Tensor,
    mode: &::core::primitive::str,
    _scale: Maybe<::core::primitive::f64>,
    _size: &[::core::primitive::i64],
    _dtype: Maybe<rt::DType>,
) -> Outcome<(::std::string::String, ::core::primitive::bool, ::core::primitive::i64)> {
    ::core::result::Result::Ok((::std::convert::From::from(mode), true, 0))
}

#[native_op("near(Tensor x, Tensor y, float radius) -> Tensor", elementwise, dtypes = real)]
fn near_out<T: rt::Element + rt::dtype::Real>(
    x: T,
    y: T,
    radius: ::core::primitive::f64,
) -> ::core::primitive::bool {
    x.minus(y).as_f64() <= radius
}

/// Where the tables of this fixture look for the rule.
pub(crate) mod near_out_rule {
    pub(crate) use super::near_out::RULE;
}

#[native_op("row_norms(Tensor x, Tensor? weights=None) -> Tensor", dtypes = floating)]
fn row_norms<T: rt::dtype::Float>(
    x: rt::ndarray::ArrayView2<'_, T>,
    _weights: ::core::option::Option<rt::ndarray::ArrayView1<'_, T>>,
) -> rt::ndarray::Array1<T> {
    x.sum_axis(rt::ndarray::Axis(1))
}
