//! Questions about single floating numbers.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::{DType, Element, Result, Spec, Tensor};

#[native_op(isnan, elementwise, dtypes = all)]
#[expect(clippy::eq_op, reason = "this is what tells numbers from others")]
fn isnan<T: PartialEq>(x: T) -> bool {
    x != x
}

#[native_op(isinf, elementwise, dtypes = all)]
fn isinf<T: Element>(x: T) -> bool {
    let z: Complex<f64> = x.cast();
    z.re.is_infinite() || z.im.is_infinite()
}

#[native_op(isfinite, elementwise, dtypes = all)]
fn isfinite<T: Element>(x: T) -> bool {
    let z: Complex<f64> = x.cast();
    z.re.is_finite() && z.im.is_finite()
}

#[native_op(isreal, elementwise, dtypes = all)]
fn isreal<T: Element>(x: T) -> bool {
    x.cast::<Complex<f64>>().im == 0.0
}

#[native_op(isposinf.out, rule)]
fn isposinf_rule(self_: &Tensor) -> Result<Spec> {
    check_ordered("isposinf", self_)?;
    Ok(Spec::elementwise_of(&[self_], DType::Bool)?.exactly())
}

#[native_op(isneginf.out, rule)]
fn isneginf_rule(self_: &Tensor) -> Result<Spec> {
    check_ordered("isneginf", self_)?;
    Ok(Spec::elementwise_of(&[self_], DType::Bool)?.exactly())
}

fn check_ordered(what: &str, tensor: &Tensor) -> Result<()> {
    if tensor.dtype().is_complex_number() { Err(tensor.dtype().unsupported(what)) } else { Ok(()) }
}

#[native_op(isposinf.out, elementwise, dtypes = ordered)]
fn isposinf_out<T: Element>(x: T) -> bool {
    x.cast::<f64>() == f64::INFINITY
}

#[native_op(isneginf.out, elementwise, dtypes = ordered)]
fn isneginf_out<T: Element>(x: T) -> bool {
    x.cast::<f64>() == f64::NEG_INFINITY
}
