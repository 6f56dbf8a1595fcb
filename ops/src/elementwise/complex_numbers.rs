//! Complex numbers and their parts.

use num_complex::Complex;
use num_traits::Float as _;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{ComplexNumber, Float};
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Error, Result, Scalar, Spec, Tensor, ensure, iterate, view};

use crate::elementwise::gradient::{direction, zeros_in};
use crate::ops::{self, TensorOps};

#[native_op(real)]
fn real(self_: &Tensor) -> Result<Tensor> {
    if self_.dtype().is_complex_number() { view::real(self_) } else { Ok(self_.clone()) }
}

#[native_op(imag)]
fn imag(self_: &Tensor) -> Result<Tensor> {
    ensure!(
        self_.dtype().is_complex_number(),
        Runtime,
        "imag is not implemented for tensors with non-complex dtypes."
    );
    view::imag(self_)
}

#[native_op(conj)]
fn conj(self_: &Tensor) -> Result<Tensor> {
    if self_.dtype().is_complex_number() {
        return ops::conj_physical::Default_::call(self_);
    }
    Ok(self_.clone())
}

#[native_op(conj_physical)]
fn conj_physical(self_: &Tensor) -> Result<Tensor> {
    if !self_.dtype().is_complex_number() {
        let mut out = rule::elementwise(&[self_])?.allocate()?;
        out.copy_from(self_)?;
        return Ok(out);
    }
    let mut out = rule::elementwise(&[self_])?.allocate()?;
    conjugate(self_, &mut out)?;
    Ok(out)
}

#[native_op(conj_physical_)]
fn conj_physical_(self_: &mut Tensor) -> Result<()> {
    conjugate(&self_.clone(), self_)
}

#[native_op(conj_physical.out)]
fn conj_physical_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = rule::elementwise(&[self_])?;
    let mut target = spec.target(out, &[self_])?;
    conjugate(self_, target.tensor())?;
    target.finish(out)
}

#[native_op(angle.out, rule)]
fn angle_rule(self_: &Tensor) -> Result<Spec> {
    let spec = rule::elementwise_float(&[self_])?;
    let dtype = spec.dtype().to_real();
    Ok(spec.with_dtype(dtype))
}

#[native_op(angle.out, elementwise, dtypes = floating, promote = float)]
fn angle_out<T: Float>(x: T) -> T {
    if x.is_nan() {
        x
    } else if x.is_sign_negative() {
        T::PI()
    } else {
        T::ZERO
    }
}

#[native_op(angle.out, elementwise, dtypes = complex, promote = float, wide)]
fn angle_of_complex<T: ComplexNumber>(z: T) -> T::Part {
    z.imaginary_part().atan2(z.real_part())
}

#[native_op(complex.out, elementwise, dtypes = [f32, f64])]
fn complex_out<T>(real: T, imag: T) -> Complex<T> {
    Complex::new(real, imag)
}

#[native_op(polar.out, elementwise, dtypes = [f32, f64])]
fn polar_out<T: Float>(abs: T, angle: T) -> Complex<T> {
    Complex::from_polar(abs, angle)
}

/// The complex tensor of two real ones, which must be of one floating dtype.
#[native_op(complex.out, rule)]
fn complex_rule(real: &Tensor, imag: &Tensor) -> Result<Spec> {
    let (a, b) = (real, imag);
    for part in [a, b] {
        ensure!(
            matches!(part.dtype(), DType::Float32 | DType::Float64),
            Runtime,
            "Expected both inputs to be Float or Double tensors but got {} and {}",
            a.dtype().title(),
            b.dtype().title()
        );
    }
    if a.dtype() != b.dtype() {
        return Err(Error::runtime(format_args!(
            "Expected object of scalar type {} but got scalar type {} for second argument",
            a.dtype().title(),
            b.dtype().title()
        )));
    }
    Ok(rule::elementwise(&[a, b])?.with_dtype(a.dtype().to_complex()).exactly())
}

fn conjugate(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    if !self_.dtype().is_complex_number() {
        return out.copy_from(self_);
    }
    iterate::unary(self_, out, |z: Complex<f64>| z.conj())
}

/// Of the real part of a complex number: the gradient without imaginary part; of a real number: the
/// gradient itself.
#[gradient_helper]
pub(crate) fn real_backward(grad: &Tensor, dtype: DType) -> Result<Tensor> {
    if !dtype.is_complex_number() {
        return Ok(grad.clone());
    }
    let nothing = ops::zeros_like::Default_::call(grad, None, None, None, None, None)?;
    ops::complex::Default_::call(grad, &nothing)
}

const I: Scalar = Scalar::Complex(Complex::new(0.0, 1.0));

/// Of the angle of a complex number: `grad * self * i / |self| ** 2`, and 0 at 0; real numbers have
/// one that does not change.
#[gradient_helper]
pub(crate) fn angle_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    if !self_.dtype().is_complex_number() {
        return zeros_in(self_.dtype(), self_);
    }
    let (re, im) = (ops::real::Default_::call(self_)?, ops::imag::Default_::call(self_)?);
    let direction = direction(&im, &re)?;
    let of_re = grad.mul(&direction.per_size(&direction.sine)?)?.neg()?;
    let of_im = grad.mul(&direction.per_size(&direction.cosine)?)?;
    ops::complex::Default_::call(&of_re, &of_im)
}

/// Of a complex number by its size and angle: `Re(conj(grad) * sgn(result))` and
/// `Re(conj(grad) * i * result)`.
#[gradient_helper]
pub(crate) fn polar_backward(
    grad: &Tensor,
    result: &Tensor,
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let grad = grad.conj()?;
    let of_abs = ops::real::Default_::call(&grad.mul(&result.sgn()?)?)?;
    let of_angle = ops::real::Default_::call(&grad.mul(&result.mul_scalar(I)?)?)?;
    Ok((Some(of_abs), Some(of_angle)))
}
