//! Powers and roots.

use opwright_macros::native_op;
use opwright_runtime::dtype::{ComplexNumber, Element, Float, Integer};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::ResultType;
use opwright_runtime::structured::rule;
use opwright_runtime::{Complex, Result, Scalar, Spec, Tensor, ensure};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::sqrt::Roots;

#[native_op(pow.Tensor_Tensor_out, elementwise, dtypes = floating | complex, wide)]
fn pow_tensor_tensor_out<T: Elementary + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(blocks::pow)
}

/// A power of an integer, wrapping; rounded towards 0 if the exponent is negative.
#[native_op(pow.Tensor_Tensor_out, elementwise, dtypes = integral, wide)]
fn pow_of_integers<T: Integer>(base: T, exponent: T) -> T {
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

#[native_op(pow.Tensor_Scalar_out, elementwise, dtypes = floating)]
fn pow_tensor_scalar_out<T: Element + Float + Elementary>(
    each: Each<'_, T, T>,
    exponent: Scalar,
) -> Result<()> {
    match Special::of(exponent) {
        Some(Special::Zero) => each.run(|_| T::ONE),
        Some(Special::One) => each.run(|x| x),
        Some(Special::Two) => each.run(|x| x * x),
        Some(Special::Half) => each.run(Elementary::root),
        Some(Special::MinusOne) => each.run(Elementary::reciprocal),
        None => {
            let exponent: T = exponent.wrap();
            each.run_blocks(move |block| blocks::pow_to(block, exponent))
        }
    }
}

#[native_op(pow.Tensor_Scalar_out, elementwise, dtypes = integral)]
fn pow_of_integers_scalar<T: Element + Integer>(
    each: Each<'_, T, T>,
    exponent: Scalar,
) -> Result<()> {
    if let Some(Special::Two) = Special::of(exponent) {
        return each.run(|x| x.times(x));
    }
    let exponent: T = exponent.operand()?;
    each.run(|x| pow_of_integers(x, exponent))
}

#[native_op(pow.Tensor_Scalar_out, elementwise, dtypes = complex)]
fn pow_of_complex_scalar<T: Element + ComplexNumber>(
    each: Each<'_, T, T>,
    exponent: Scalar,
) -> Result<()> {
    type Wide = Complex<f64>;
    match Special::of(exponent) {
        Some(Special::Zero) => each.run(|_| T::ONE),
        Some(Special::One) => each.run(|z| z),
        Some(Special::Two) => each.run(|z| z.times(z)),
        Some(Special::Half) => each.run(|z| Wide::root(z.cast()).cast()),
        Some(Special::MinusOne) => each.run(|z| Wide::reciprocal(z.cast()).cast()),
        None => {
            let exponent: Wide = exponent.wrap();
            each.run(|z| Wide::pow::<false>(z.cast(), exponent).cast())
        }
    }
}

#[native_op(reciprocal.out, elementwise, dtypes = floating | complex, wide)]
fn reciprocal_out<T: Elementary>(x: T) -> T {
    x.reciprocal()
}

#[native_op(sqrt.out, elementwise, dtypes = floating | complex, wide)]
fn sqrt_out<T: Roots + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(T::roots)
}

#[native_op(rsqrt.out, elementwise, dtypes = floating | complex, wide)]
fn rsqrt_out<T: Elementary>(x: T) -> T {
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
