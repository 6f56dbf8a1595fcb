//! Powers and roots.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Integer, Number};
use opwright_runtime::promote::ResultType;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Result, Scalar, Spec, Tensor, ensure, iterate};

use super::analytic::Analytic;
use super::calculate::calculate;

#[native_op(pow.Tensor_Tensor_out)]
fn pow_tensor_tensor_out(self_: &Tensor, exponent: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.dtype().is_integral() {
        let (a, b) = (self_.to_dtype(out.dtype())?, exponent.to_dtype(out.dtype())?);
        return calculate!(out.dtype(), "pow", wide_integral, |T| {
            iterate::binary(&a, &b, out, |a: T, b: T| integer_power(a, b))
        });
    }
    calculate!(out.dtype(), "pow", floating_or_complex, |T| {
        iterate::binary(self_, exponent, out, |a: T, b: T| a.power(b))
    })
}

#[native_op(pow.Tensor_Scalar_out, rule)]
fn pow_tensor_scalar_rule(self_: &Tensor, exponent: Scalar) -> Result<Spec> {
    let spec = with_scalar(self_, exponent)?;
    let is_negative = matches!(exponent, Scalar::Int(it) if it < 0);
    ensure!(
        !is_negative || spec.dtype().is_floating() || spec.dtype().is_complex_number(),
        Runtime,
        "Integers to negative integer powers are not allowed."
    );
    Ok(spec)
}

#[native_op(pow.Tensor_Scalar_out)]
fn pow_tensor_scalar_out(self_: &Tensor, exponent: Scalar, out: &mut Tensor) -> Result<()> {
    match Special::of(exponent) {
        _ if out.dtype() == DType::Bool => Err(out.dtype().unsupported("pow")),
        Some(Special::Zero) => out.fill(Scalar::Int(1)),
        Some(Special::One) => out.copy_from(self_),
        Some(Special::Two) => calculate!(out.dtype(), "pow", number, |T| {
            iterate::unary(self_, out, |x: T| x.times(x))
        }),
        Some(Special::Half) => calculate!(out.dtype(), "pow", floating_or_complex, |T| {
            iterate::unary(self_, out, sqrt_out::<T>)
        }),
        Some(Special::MinusOne) => calculate!(out.dtype(), "pow", floating_or_complex, |T| {
            iterate::unary(self_, out, reciprocal_out::<T>)
        }),
        None => pow_tensor_tensor_out(self_, &Tensor::wrapped_number(exponent)?, out),
    }
}

#[native_op(reciprocal.out, elementwise, dtypes = floating | complex, wide)]
fn reciprocal_out<T: Analytic>(x: T) -> T {
    x.reciprocal()
}

#[native_op(sqrt.out, elementwise, dtypes = floating | complex, wide)]
fn sqrt_out<T: Analytic>(x: T) -> T {
    x.root()
}

#[native_op(rsqrt.out, elementwise, dtypes = floating | complex, wide)]
fn rsqrt_out<T: Analytic>(x: T) -> T {
    x.rsqrt()
}

/// Exponents for which there is a shorter way.
enum Special {
    Zero,
    One,
    Two,
    Half,
    MinusOne,
}

impl Special {
    fn of(exponent: Scalar) -> Option<Special> {
        let value = exponent.to_complex();
        if value.im != 0.0 {
            return None;
        }
        [
            (0.0, Special::Zero),
            (1.0, Special::One),
            (2.0, Special::Two),
            (0.5, Special::Half),
            (-1.0, Special::MinusOne),
        ]
        .into_iter()
        .find_map(|(it, special)| (value.re == it).then_some(special))
    }
}

/// What a tensor becomes together with a number.
fn with_scalar(tensor: &Tensor, scalar: Scalar) -> Result<Spec> {
    let spec = rule::elementwise(&[tensor])?;
    let dtype = ResultType::EMPTY.with_tensor(tensor).with_scalar(scalar).dtype();
    Ok(spec.with_dtype(dtype.unwrap_or(tensor.dtype())))
}

/// A power of an integer, wrapping; rounded towards 0 if the exponent is negative.
fn integer_power<T: Integer>(base: T, exponent: T) -> T {
    if exponent < T::ZERO {
        return if base == T::ONE {
            T::ONE
        } else if base == T::ONE.negated() {
            if exponent & T::ONE == T::ZERO { T::ONE } else { base }
        } else {
            T::ZERO
        };
    }
    let (mut result, mut square, mut rest) = (T::ONE, base, exponent);
    while rest != T::ZERO {
        if rest & T::ONE == T::ONE {
            result = result.times(square);
        }
        square = square.times(square);
        rest = rest >> 1;
    }
    result
}
