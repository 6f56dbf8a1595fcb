//! Steps against the gradient.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float, Number};
use opwright_runtime::{Result, Tensor, dispatch, iterate};

use super::lists::{check_like, check_parameters, is_meta, is_skipped, unscale};

#[native_op(_fused_sgd_)]
fn fused_sgd_(
    self_: &mut [&mut Tensor],
    grads: &mut [&mut Tensor],
    momentum_buffer_list: &mut [&mut Tensor],
    weight_decay: f64,
    momentum: f64,
    lr: f64,
    dampening: f64,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Option<&Tensor>,
    found_inf: Option<&Tensor>,
) -> Result<()> {
    check_parameters(self_)?;
    check_like("grads", grads, self_)?;
    let has_momentum = momentum != 0.0;
    if has_momentum {
        check_like("momentum_buffer_list", momentum_buffer_list, self_)?;
    }
    if is_meta(self_) || is_skipped(found_inf)? {
        return Ok(());
    }
    unscale(grads, grad_scale)?;
    let step = Step { weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step };
    for (at, (parameter, gradient)) in self_.iter_mut().zip(grads).enumerate() {
        let velocity = momentum_buffer_list.get_mut(at).filter(|_| has_momentum);
        dispatch!(parameter.dtype(), "fused_sgd", floating, |T| match velocity {
            Some(velocity) => step.with_momentum::<T>(parameter, velocity, gradient),
            None => step.plain::<T>(parameter, gradient),
        })?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Step {
    weight_decay: f64,
    momentum: f64,
    lr: f64,
    dampening: f64,
    nesterov: bool,
    maximize: bool,
    /// There is no momentum yet: it begins with the gradient.
    is_first_step: bool,
}

impl Step {
    fn plain<T>(self, parameter: &mut Tensor, gradient: &Tensor) -> Result<()>
    where
        T: Element + Number<Wide: Element + Float>,
    {
        let (lr, steepest) = (T::Wide::constant(self.lr), self.steepest::<T::Wide>());
        iterate::update([parameter], [gradient], move |[p]: [T; 1], [g]: [T; 1]| {
            let (p, g) = (p.cast(), g.cast());
            [(p - lr * steepest(p, g)).cast()]
        })
    }

    fn with_momentum<T>(
        self,
        parameter: &mut Tensor,
        velocity: &mut Tensor,
        gradient: &Tensor,
    ) -> Result<()>
    where
        T: Element + Number<Wide: Element + Float>,
    {
        let [lr, momentum, share] =
            [self.lr, self.momentum, 1.0 - self.dampening].map(T::Wide::constant);
        let steepest = self.steepest::<T::Wide>();
        let replaced = move |[p, v]: [T; 2], [g]: [T; 1]| {
            let (p, v, g): (T::Wide, T::Wide, T::Wide) = (p.cast(), v.cast(), g.cast());
            let g = steepest(p, g);
            let v = if self.is_first_step { g } else { momentum * v + share * g };
            let way = if self.nesterov { g + momentum * v } else { v };
            [(p - lr * way).cast(), v.cast()]
        };
        iterate::update([parameter, velocity], [gradient], replaced)
    }

    /// In which direction what is minimised grows, at an element of this value and gradient.
    fn steepest<F: Float>(self) -> impl Fn(F, F) -> F + Copy + Sync {
        let decay = F::constant(self.weight_decay);
        let decays = self.weight_decay != 0.0;
        move |p, g| {
            let g = if self.maximize { -g } else { g };
            if decays { g + decay * p } else { g }
        }
    }
}
