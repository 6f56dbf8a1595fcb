//! Powers and roots.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{ComplexNumber, Element, Float, Integer};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::ResultType;
use opwright_runtime::structured::rule;
use opwright_runtime::{Complex, Result, Scalar, Spec, Tensor, ensure};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::sqrt::Roots;

use crate::elementwise::gradient::zeros_in;
use crate::gradient::{handle_r_to_c, to, widened, zeroed_where};
use crate::ops::{self, TensorOps};

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

/// Of `self ** exponent`: `grad * conj(exponent * self ** (exponent - 1))`, and 0 if the exponent
/// is.
#[gradient_helper]
pub(crate) fn pow_backward(grad: &Tensor, self_: &Tensor, exponent: Scalar) -> Result<Tensor> {
    if !exponent.to_bool() {
        return zeros_in(self_.dtype(), self_);
    }
    let power = ops::pow::Tensor_Scalar::call(&widened(self_)?, exponent - Scalar::Int(1))?;
    let slope = power.mul_scalar(exponent)?.conj()?;
    let product = to(&widened(grad)?.mul(&slope)?, grad.dtype())?;
    handle_r_to_c(self_.dtype(), &product)
}

/// The same where the exponents are a tensor. A power of 0 or NaN whose exponent is 0 does not
/// change, and neither does one that has come to its end with an infinite exponent.
#[gradient_helper]
pub(crate) fn pow_backward_self(
    grad: &Tensor,
    self_: &Tensor,
    exponent: &Tensor,
) -> Result<Tensor> {
    let is_flat = self_.eq_scalar(Scalar::Int(0))?.logical_or(&self_.isnan()?)?;
    let is_constant = exponent.eq_scalar(Scalar::Int(0))?.logical_and(&is_flat)?;
    let one = Scalar::Int(1);
    let inside = ops::r#where::ScalarSelf::call(&is_constant, one, exponent)?;
    let power = self_.pow(&inside.sub_scalar(one)?)?;
    let factor = match exponent.dtype().is_complex_number() {
        true => exponent.clone(),
        false => ops::r#where::self_::call(&exponent.isinf()?, &exponent.sign()?, exponent)?,
    };
    handle_r_to_c(self_.dtype(), &grad.mul(&factor.mul(&power)?.conj()?)?)
}

/// Whether numbers are real and not negative.
fn is_nonnegative(tensor: &Tensor) -> Result<Tensor> {
    let zero = Scalar::Int(0);
    if !tensor.dtype().is_complex_number() {
        return tensor.ge_scalar(zero);
    }
    let is_real = ops::imag::Default_::call(tensor)?.eq_scalar(zero)?;
    is_real.logical_and(&ops::real::Default_::call(tensor)?.ge_scalar(zero)?)
}

/// Whether powers of an infinity are zeros, which do not change with the exponent.
fn has_same_limit(base: &Tensor, powers: &Tensor) -> Result<Tensor> {
    base.isinf()?.logical_and(&powers.eq_scalar(Scalar::Int(0))?)
}

/// Of `self ** exponent`: `grad * conj(result * log(self))`, and 0 where a power of 0 or of an
/// infinity does not change with its exponent.
#[gradient_helper]
pub(crate) fn pow_backward_exponent(
    grad: &Tensor,
    self_: &Tensor,
    exponent: &Tensor,
    result: &Tensor,
) -> Result<Tensor> {
    let is_zero = self_.eq_scalar(Scalar::Int(0))?;
    let is_constant = is_zero.logical_and(&is_nonnegative(exponent)?)?;
    // A number would have the logarithm of the default dtype.
    let base = match self_.is_wrapped_number() {
        true => {
            let dtype = Some(result.dtype());
            ops::_to_copy::Default_::call(self_, dtype, None, None, None, false, None)?
        }
        false => to(self_, result.dtype())?,
    };
    let base = base.masked_fill(&has_same_limit(self_, result)?, Scalar::Int(1))?;
    let slope = result.mul(&base.log()?)?.conj()?;
    let product = grad.mul(&zeroed_where(&slope, &is_constant)?)?;
    handle_r_to_c(exponent.dtype(), &product)
}
