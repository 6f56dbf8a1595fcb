//! Gradients: what Python's `autograd` does, for C.

use opwright_runtime as rt;
use opwright_runtime::autograd::{Arithmetic, Edge, Mode, Pass, set_recording};
use opwright_runtime::{Result, Scalar, buffer, ensure};

use super::tensors::{known, listed};
use crate::call::run;
use crate::error::Status;
use crate::handle::Tensor;
use crate::list::TensorList;
use crate::ready::ready;
use crate::value::Bool;

/// What gradients are added with.
fn arithmetic() -> &'static dyn Arithmetic {
    #[cfg(feature = "ops")]
    return opwright_ops::gradient::ARITHMETIC;
    #[cfg(not(feature = "ops"))]
    opwright_runtime::autograd::PLAIN
}

pub unsafe fn tensor_requires_grad(tensor: *const Tensor) -> Bool {
    // SAFETY: it is NULL or a handle.
    let tensor = unsafe { known(tensor) };
    tensor.is_some_and(rt::Tensor::requires_grad).into()
}

pub unsafe fn tensor_set_requires_grad(tensor: *mut Tensor, value: Bool) -> Status {
    run("tensor_set_requires_grad self", &mut |c| unsafe {
        // SAFETY: as the header says.
        c.written(tensor, 1)?.set_requires_grad(value.into())
    })
}

pub unsafe fn tensor_grad(tensor: *const Tensor, result: *mut *mut Tensor) -> Status {
    run("tensor_grad self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        ready(result, tensor.grad())?.write();
        Ok(())
    })
}

pub unsafe fn tensor_set_grad(tensor: *const Tensor, gradient: *const Tensor) -> Status {
    run("tensor_set_grad self gradient", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        tensor.set_grad(c.optional(gradient, 2)?.cloned())
    })
}

pub unsafe fn tensor_detach(tensor: *const Tensor, result: *mut *mut Tensor) -> Status {
    run("tensor_detach self", &mut |c| unsafe {
        // SAFETY: as the header says.
        let tensor: &rt::Tensor = c.object(tensor, 1)?;
        ready(result, tensor.without_history()?)?.write();
        Ok(())
    })
}

pub unsafe fn grad_enabled() -> Bool {
    Mode::current().records().into()
}

pub unsafe fn set_grad_enabled(value: Bool) -> Bool {
    set_recording(value.into()).into()
}

pub unsafe fn backward(
    tensor: *const Tensor,
    gradient: *const Tensor,
    retain_graph: Bool,
) -> Status {
    run("backward self gradient", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (tensor, gradient) = (c.object(tensor, 1)?, c.optional(gradient, 2)?);
        let pass = Pass {
            roots: vec![root(tensor, gradient)?],
            keeps_graph: retain_graph.into(),
            is_recorded: false,
            inputs: None,
            accumulates: true,
            arithmetic: arithmetic(),
        };
        pass.run().map(drop)
    })
}

pub unsafe fn grad(
    outputs: *const *const Tensor,
    outputs_len: usize,
    inputs: *const *const Tensor,
    inputs_len: usize,
    retain_graph: Bool,
    allow_unused: Bool,
    result: *mut TensorList,
) -> Status {
    run("grad outputs inputs", &mut |c| unsafe {
        // SAFETY: as the header says.
        let (outputs, inputs) =
            (listed(c, outputs, outputs_len, 1)?, listed(c, inputs, inputs_len, 2)?);
        let edges: Vec<Edge> = buffer::try_collected(inputs.iter().enumerate().map(edge))?;
        let pass = Pass {
            roots: buffer::try_collected(outputs.iter().map(|it| root(it, None)))?,
            keeps_graph: retain_graph.into(),
            is_recorded: false,
            inputs: Some(&edges),
            accumulates: false,
            arithmetic: arithmetic(),
        };
        let found = pass.run()?;
        let unused = found.iter().position(Option::is_none);
        if let Some(input) = unused.filter(|_| !bool::from(allow_unused)) {
            opwright_runtime::fail!(
                Runtime,
                "input {input} is not used; `allow_unused` lets it be"
            );
        }
        ready(result, found)?.write();
        Ok(())
    })
}

fn edge((at, input): (usize, &&rt::Tensor)) -> Result<Edge> {
    let missing = || rt::Error::runtime(format_args!("input {at} does not require grad"));
    input.gradient_edge().ok_or_else(missing)
}

/// Where a pass begins, and with which gradient.
fn root(tensor: &rt::Tensor, gradient: Option<&rt::Tensor>) -> Result<(Edge, rt::Tensor)> {
    let missing =
        "it does not require grad and has no history, so that nothing leads backward from it";
    let edge = tensor.gradient_edge().ok_or_else(|| rt::Error::runtime(missing))?;
    let gradient = match gradient {
        Some(gradient) => fitting(tensor, gradient)?.clone(),
        None => one(tensor)?,
    };
    Ok((edge, gradient))
}

/// The gradient of a root to itself.
fn one(tensor: &rt::Tensor) -> Result<rt::Tensor> {
    let (shape, dtype) = (tensor.shape(), tensor.dtype());
    let is_plain = tensor.numel() == 1 && !dtype.is_complex_number();
    ensure!(is_plain, Runtime, "a {dtype} tensor of shape {shape:?} needs a gradient of its own");
    rt::Tensor::filled(shape, Scalar::Int(1), dtype, tensor.device())
}

fn fitting<'a>(tensor: &rt::Tensor, gradient: &'a rt::Tensor) -> Result<&'a rt::Tensor> {
    let (shape, own) = (gradient.shape(), tensor.shape());
    ensure!(shape == own, Runtime, "a gradient of shape {shape:?} does not fit shape {own:?}");
    let (dtype, own) = (gradient.dtype(), tensor.dtype());
    let fits = dtype.is_complex_number() == own.is_complex_number();
    ensure!(fits, Runtime, "a {dtype} gradient does not fit a {own} tensor");
    Ok(gradient)
}
