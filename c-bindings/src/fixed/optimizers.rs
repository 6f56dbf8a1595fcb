//! Optimizers.

use opwright_runtime::Result;

use crate::call::{CallNames, guarded, run};
use crate::error::Status;
use crate::handle::{self, Optimizer, Tensor};
use crate::optimizer::{self, OptimizerRule};
use crate::ready::ready;
use crate::value::Bool;

pub unsafe fn sgd_new(
    lr: f64,
    momentum: f64,
    dampening: f64,
    weight_decay: f64,
    nesterov: Bool,
    result: *mut *mut Optimizer,
) -> Status {
    let nesterov = nesterov.into();
    let rule = OptimizerRule::Sgd { momentum, dampening, weight_decay, nesterov };
    run("sgd_new", &mut |_| unsafe {
        // SAFETY: as the header says.
        ready(result, optimizer::Optimizer::new(rule, lr)?)?.write();
        Ok(())
    })
}

pub unsafe fn adam_new(
    lr: f64,
    beta1: f64,
    beta2: f64,
    eps: f64,
    weight_decay: f64,
    amsgrad: Bool,
    result: *mut *mut Optimizer,
) -> Status {
    let amsgrad = amsgrad.into();
    let rule = OptimizerRule::Adam { beta1, beta2, eps, weight_decay, amsgrad };
    run("adam_new", &mut |_| unsafe {
        // SAFETY: as the header says.
        ready(result, optimizer::Optimizer::new(rule, lr)?)?.write();
        Ok(())
    })
}

/// An optimizer that is changed.
///
/// # Safety
///
/// The handle is NULL or not freed, and nobody else uses it.
unsafe fn changed<'a>(
    c: CallNames,
    handle: *mut Optimizer,
) -> Result<&'a mut optimizer::Optimizer> {
    // SAFETY: the caller's.
    unsafe { c.object(handle.cast_const(), 1) }?;
    // SAFETY: `object` has found that it is a handle, and nobody else uses it.
    Ok(unsafe { &mut (*handle).0 })
}

pub unsafe fn optimizer_add(
    optimizer: *mut Optimizer,
    parameters: *const *const Tensor,
    len: usize,
) -> Status {
    run("optimizer_add optimizer parameters", &mut |c| unsafe {
        // SAFETY: as the header says.
        changed(c, optimizer)?.add(c.objects(parameters, len, 2)?)
    })
}

pub unsafe fn optimizer_step(optimizer: *mut Optimizer) -> Status {
    run("optimizer_step optimizer", &mut |c| unsafe {
        // SAFETY: as the header says.
        changed(c, optimizer)?.step()
    })
}

pub unsafe fn optimizer_zero_grad(optimizer: *mut Optimizer) -> Status {
    run("optimizer_zero_grad optimizer", &mut |c| unsafe {
        // SAFETY: as the header says.
        changed(c, optimizer)?.zero_grad()
    })
}

pub unsafe fn optimizer_set_lr(optimizer: *mut Optimizer, lr: f64) -> Status {
    run("optimizer_set_lr optimizer lr", &mut |c| unsafe {
        // SAFETY: as the header says.
        changed(c, optimizer)?.set_lr(lr)
    })
}

pub unsafe fn optimizer_free(optimizer: *mut Optimizer) {
    // SAFETY: it is NULL or a handle that nobody uses any more.
    guarded((), || unsafe { handle::free(optimizer) });
}
