//! Operands whose memory the result may take: `a + b * c` needs room for one result, not for two.

use opwright_runtime::structured::Donation;
use opwright_runtime::{KeySet, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt};

use crate::shim::Target;
use crate::tensor::object;
use crate::{graph, raw};

/// From so many bytes on, memory costs more than to find out who calls.
const WORTH_ASKING: usize = 1 << 18;

/// Gives away the memory of an operand that nobody will see after the call, if there is one.
#[inline]
pub(crate) fn donated(target: &Target, operands: &[Borrowed<'_, '_, PyAny>]) -> Option<Donation> {
    let is_large =
        |it| object::known_at_once(it).is_some_and(|it| is_worth_asking(object::peek(it)));
    if operands.iter().copied().any(is_large) { donated_large(target, operands) } else { None }
}

fn is_worth_asking(tensor: &Tensor) -> bool {
    tensor.numel() >= WORTH_ASKING / tensor.dtype().size()
}

#[cold]
fn donated_large(target: &Target, operands: &[Borrowed<'_, '_, PyAny>]) -> Option<Donation> {
    if !operands.iter().copied().all(is_quiet) || !is_read_once(target) {
        return None;
    }
    let tensors = operands.iter().copied().filter_map(|it| Some((it, object::known_at_once(it)?)));
    let mut dying = tensors.filter(|&(operand, tensor)| {
        let tensor = object::peek(tensor);
        is_worth_asking(tensor) && tensor.is_alone() && raw::is_temporary(operand)
    });
    dying.next().map(|(_, tensor)| Donation::of(object::peek(tensor)))
}

/// Whether a call with this operand runs no code of Python, and no layer keeps it.
fn is_quiet(operand: Borrowed<'_, '_, PyAny>) -> bool {
    match object::known_at_once(operand) {
        Some(tensor) => object::peek(tensor).keys() == KeySet::EMPTY,
        None => {
            operand.is_exact_instance_of::<PyFloat>()
                || operand.is_exact_instance_of::<PyInt>()
                || operand.is_exact_instance_of::<PyComplex>()
        }
    }
}

/// Whether all that the target runs reads its operands element by element, and once.
fn is_read_once(target: &Target) -> bool {
    let is_loop = |schema| graph::of_schema(schema).is_some_and(|it| it.inner_loop.is_some());
    target.schemas.iter().all(|[base, _]| base.is_some_and(is_loop))
}
