//! Steps that adapt to how great the gradients of each element are.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float, Number};
use opwright_runtime::{Result, Tensor, buffer, dispatch, iterate};

use super::lists::{
    check_length, check_like, check_parameters, is_meta, is_skipped, number, unscale,
};

#[native_op(_fused_adam_)]
fn fused_adam_(
    self_: &mut [&mut Tensor],
    grads: &mut [&mut Tensor],
    exp_avgs: &mut [&mut Tensor],
    exp_avg_sqs: &mut [&mut Tensor],
    max_exp_avg_sqs: &mut [&mut Tensor],
    state_steps: &[&Tensor],
    lr: f64,
    beta1: f64,
    beta2: f64,
    weight_decay: f64,
    eps: f64,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Option<&Tensor>,
    found_inf: Option<&Tensor>,
) -> Result<()> {
    let is_decoupled = false;
    AdamOptions { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, is_decoupled }.step(
        self_,
        grads,
        exp_avgs,
        exp_avg_sqs,
        max_exp_avg_sqs,
        state_steps,
        grad_scale,
        found_inf,
    )
}

#[native_op(_fused_adamw_)]
fn fused_adamw_(
    self_: &mut [&mut Tensor],
    grads: &mut [&mut Tensor],
    exp_avgs: &mut [&mut Tensor],
    exp_avg_sqs: &mut [&mut Tensor],
    max_exp_avg_sqs: &mut [&mut Tensor],
    state_steps: &[&Tensor],
    lr: f64,
    beta1: f64,
    beta2: f64,
    weight_decay: f64,
    eps: f64,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Option<&Tensor>,
    found_inf: Option<&Tensor>,
) -> Result<()> {
    let is_decoupled = true;
    AdamOptions { lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, is_decoupled }.step(
        self_,
        grads,
        exp_avgs,
        exp_avg_sqs,
        max_exp_avg_sqs,
        state_steps,
        grad_scale,
        found_inf,
    )
}

/// What is the same for all parameters.
#[derive(Clone, Copy)]
struct AdamOptions {
    lr: f64,
    beta1: f64,
    beta2: f64,
    weight_decay: f64,
    eps: f64,
    amsgrad: bool,
    maximize: bool,
    /// Parameters shrink by themselves, and gradients know nothing of it.
    is_decoupled: bool,
}

impl AdamOptions {
    fn step(
        self,
        self_: &mut [&mut Tensor],
        grads: &mut [&mut Tensor],
        exp_avgs: &mut [&mut Tensor],
        exp_avg_sqs: &mut [&mut Tensor],
        max_exp_avg_sqs: &mut [&mut Tensor],
        state_steps: &[&Tensor],
        grad_scale: Option<&Tensor>,
        found_inf: Option<&Tensor>,
    ) -> Result<()> {
        check_parameters(self_)?;
        check_like("grads", grads, self_)?;
        check_like("exp_avgs", exp_avgs, self_)?;
        check_like("exp_avg_sqs", exp_avg_sqs, self_)?;
        if self.amsgrad {
            check_like("max_exp_avg_sqs", max_exp_avg_sqs, self_)?;
        }
        check_length("state_steps", state_steps.len(), self_.len())?;
        if is_meta(self_) || is_skipped(found_inf)? {
            return Ok(());
        }
        // Read before anything is written, as one may be refused.
        let steps = state_steps.iter().enumerate();
        let counts = buffer::try_collected(
            steps.map(|(at, step)| number(format_args!("state_steps[{at}]"), step)),
        )?;
        unscale(grads, grad_scale)?;
        for (at, (parameter, count)) in self_.iter_mut().zip(counts).enumerate() {
            let (gradient, mean) = (&*grads[at], &mut *exp_avgs[at]);
            let squares = &mut *exp_avg_sqs[at];
            let greatest = max_exp_avg_sqs.get_mut(at).filter(|_| self.amsgrad);
            dispatch!(parameter.dtype(), "fused_adam", floating, |T| {
                let step = AdamStep::<<T as Number>::Wide>::new(self, count);
                match greatest {
                    Some(greatest) => {
                        step.with_greatest::<T>(parameter, mean, squares, greatest, gradient)
                    }
                    None => step.plain::<T>(parameter, mean, squares, gradient),
                }
            })?;
        }
        Ok(())
    }
}

/// The same in the type that elements are calculated in, for the number of the step.
#[derive(Clone, Copy)]
struct AdamStep<F> {
    /// How much of the gradient goes into its mean.
    share: F,
    /// How much of the mean of the squares is kept, and how much of the square goes into it.
    kept: F,
    square_share: F,
    weight_decay: F,
    eps: F,
    /// How far a mean of the size of the root of the squares moves an element.
    rate: F,
    /// How much of an element is left when it has shrunk by itself.
    left: F,
    /// By what the root of the squares is divided for the zeros that they began with.
    bias: F,
    maximize: bool,
    decays: bool,
    shrinks: bool,
}

impl<F: Float> AdamStep<F> {
    fn new(options: AdamOptions, count: f64) -> AdamStep<F> {
        let AdamOptions { lr, beta1, beta2, weight_decay, .. } = options;
        AdamStep {
            share: F::constant(1.0 - beta1),
            kept: F::constant(beta2),
            square_share: F::constant(1.0 - beta2),
            weight_decay: F::constant(weight_decay),
            eps: F::constant(options.eps),
            rate: F::constant(lr / (1.0 - beta1.powf(count))),
            left: F::constant(1.0 - lr * weight_decay),
            bias: F::constant((1.0 - beta2.powf(count)).sqrt()),
            maximize: options.maximize,
            decays: weight_decay != 0.0 && !options.is_decoupled,
            shrinks: weight_decay != 0.0 && options.is_decoupled,
        }
    }

    /// The element without what it shrinks by itself, and the means that the gradient belongs to.
    #[inline(always)]
    fn means(&self, [p, mean, squares, g]: [F; 4]) -> [F; 3] {
        let g = if self.maximize { -g } else { g };
        let p = if self.shrinks { p * self.left } else { p };
        let g = if self.decays { g + self.weight_decay * p } else { g };
        let mean = mean + self.share * (g - mean);
        let squares = self.kept * squares + self.square_share * (g * g);
        [p, mean, squares]
    }

    #[inline(always)]
    fn moved(&self, p: F, mean: F, squares: F) -> F {
        p - self.rate * mean / (squares.sqrt() / self.bias + self.eps)
    }

    fn plain<T>(
        self,
        parameter: &mut Tensor,
        mean: &mut Tensor,
        squares: &mut Tensor,
        gradient: &Tensor,
    ) -> Result<()>
    where
        T: Element + Number<Wide = F>,
        F: Element,
    {
        let replaced = move |[p, m, v]: [T; 3], [g]: [T; 1]| {
            let [p, m, v] = self.means([p.cast(), m.cast(), v.cast(), g.cast()]);
            [self.moved(p, m, v).cast(), m.cast(), v.cast()]
        };
        iterate::update([parameter, mean, squares], [gradient], replaced)
    }

    fn with_greatest<T>(
        self,
        parameter: &mut Tensor,
        mean: &mut Tensor,
        squares: &mut Tensor,
        greatest: &mut Tensor,
        gradient: &Tensor,
    ) -> Result<()>
    where
        T: Element + Number<Wide = F>,
        F: Element,
    {
        let replaced = move |[p, m, v, most]: [T; 4], [g]: [T; 1]| {
            let [p, m, v] = self.means([p.cast(), m.cast(), v.cast(), g.cast()]);
            let most: F = most.cast();
            let most = if v.is_nan() || v > most { v } else { most };
            [self.moved(p, m, most).cast(), m.cast(), v.cast(), most.cast()]
        };
        iterate::update([parameter, mean, squares, greatest], [gradient], replaced)
    }
}
