//! Activations made of exponentials.

use num_traits::Num;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::iterate::Each;
use opwright_runtime::{Result, Scalar, Tensor, ensure, fail, multiversion};
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::special::Special;

#[native_op(gelu.out, elementwise, dtypes = floating)]
fn gelu_out<T: Element + Float + Elementary + Special>(
    each: Each<'_, T, T>,
    approximate: &str,
) -> Result<()> {
    match approximate {
        "none" => each.run_blocks(gelu),
        "tanh" => each.run_blocks(gelu_by_tanh),
        other => {
            fail!(Runtime, "argument 'approximate' must be either none or tanh, but got {other}")
        }
    }
}

#[native_op(silu.out, elementwise, dtypes = floating | complex, wide)]
fn silu_out<T: Element + Elementary + Num>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(silu)
}

#[native_op(mish.out, elementwise, dtypes = floating)]
fn mish_out<T: Element + Elementary + Float>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(mish)
}

#[native_op(softplus.out, elementwise, dtypes = floating, numbers = [beta, threshold])]
fn softplus_out<T: Element + Elementary + Float>(
    each: Each<'_, T, T>,
    beta: T,
    threshold: T,
) -> Result<()> {
    each.run_blocks(move |block| softplus(block, beta, threshold))
}

#[native_op(elu.out, elementwise, dtypes = floating, numbers = [alpha, scale, input_scale])]
fn elu_out<T: Element + Elementary + Float>(
    each: Each<'_, T, T>,
    alpha: T,
    scale: T,
    input_scale: T,
) -> Result<()> {
    each.run_blocks(move |block| elu(block, alpha, scale, input_scale))
}

fn gelu<T: Float + Special>(block: &mut [T]) {
    if !T::gelu_lanes(block) {
        gelu_one_by_one(block);
    }
}

fn silu<T: Elementary + Num>(block: &mut [T]) {
    if !T::silu_lanes(block) {
        silu_one_by_one(block);
    }
}

multiversion! {
    fn gelu_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Float + Special]
    {
        for x in block {
            *x = x.gelu::<FMA>();
        }
    }

    fn gelu_by_tanh<const FMA: bool, T>(block: &mut [T])
    where
        [T: Float + Elementary]
    {
        // 2 sqrt(2 / pi): the logistic function takes twice what `tanh` does.
        let slope = T::constant(2.0 * 0.797_884_560_802_865_4);
        let cube = T::constant(0.044715);
        for it in block {
            let x = it.not_infinitely_negative();
            *it = x * (slope * (x + cube * x * x * x)).sigmoid::<FMA>();
        }
    }

    fn silu_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Elementary + Num]
    {
        if T::exp_is_in_range(block) {
            for x in block {
                *x = x.not_infinitely_negative() * x.sigmoid_in_range::<FMA>();
            }
        } else {
            for x in block {
                *x = x.not_infinitely_negative() * x.sigmoid::<FMA>();
            }
        }
    }

    fn mish<const FMA: bool, T>(block: &mut [T])
    where
        [T: Elementary + Float]
    {
        for x in block {
            // With n = exp(x), the hyperbolic tangent of log(1 + n) is n (n + 2) / (n (n + 2) + 2).
            let most = T::constant(20.0);
            let power = Elementary::exp::<FMA>(if *x > most { most } else { *x });
            let product = power * (power + T::constant(2.0));
            *x = x.not_infinitely_negative() * (product / (product + T::constant(2.0)));
        }
    }

    fn softplus<const FMA: bool, T>(block: &mut [T], beta: T, threshold: T)
    where
        [T: Elementary + Float]
    {
        for it in block {
            let x = *it;
            let smooth = Elementary::exp::<FMA>(x * beta).log1p::<FMA>() / beta;
            *it = if x * beta > threshold { x } else { smooth };
        }
    }

    fn elu<const FMA: bool, T>(block: &mut [T], alpha: T, scale: T, input_scale: T)
    where
        [T: Elementary + Float]
    {
        for it in block {
            let x = *it;
            let smooth = alpha * (x * input_scale).expm1::<FMA>();
            *it = scale * if x <= T::ZERO { smooth } else { x };
        }
    }
}

#[native_op(celu)]
fn celu(self_: &Tensor, alpha: Scalar) -> Result<Tensor> {
    crate::ops::elu::Default_::call(self_, alpha, Scalar::Int(1), inverse(alpha)?)
}

#[native_op(celu_)]
fn celu_(self_: &mut Tensor, alpha: Scalar) -> Result<()> {
    crate::ops::elu_::Default_::call(self_, alpha, Scalar::Int(1), inverse(alpha)?)
}

fn inverse(alpha: Scalar) -> Result<Scalar> {
    let alpha = alpha.to_f64()?;
    ensure!(alpha != 0.0, Runtime, "alpha cannot be 0");
    Ok(Scalar::Float(1.0 / alpha))
}
