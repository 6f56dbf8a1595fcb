//! Operands whose memory the result may take: `a + b * c` needs room for one result, not for two.

use opwright_runtime::KeySet;
use opwright_runtime::structured::Donation;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt};

use crate::shim::Target;
use crate::tensor::object;
use crate::{graph, raw};

/// From so many bytes on, memory costs more than to find out who calls.
const WORTH_ASKING: usize = 1 << 18;

/// With fewer elements, it is not so many bytes.
const FEWEST: usize = WORTH_ASKING / 16;

/// Whether one of the operands may be so large that its memory is worth having.
#[inline(always)]
pub(crate) fn are_large(operands: &[Borrowed<'_, '_, PyAny>]) -> bool {
    let is_large = |it| object::peek(it).numel() >= FEWEST;
    operands.iter().any(|&it| object::known_at_once(it).is_some_and(is_large))
}

/// Gives away the memory of an operand that nobody will see after the call, if there is one.
pub(crate) fn donated(target: &Target, operands: &[Borrowed<'_, '_, PyAny>]) -> Option<Donation> {
    let candidates = operands.iter().copied().filter(|&it| may_die(it));
    let fits = |_: &_| operands.iter().copied().all(is_quiet) && is_read_once(target);
    let dying = candidates.filter(fits).find(|&it| raw::is_temporary(it))?;
    object::known_at_once(dying).map(|it| Donation::of(object::peek(it)))
}

/// Whether an operand is large, and one reference leads to its elements.
fn may_die(operand: Borrowed<'_, '_, PyAny>) -> bool {
    object::known_at_once(operand).is_some_and(|it| {
        let tensor = object::peek(it);
        let bytes = tensor.numel().saturating_mul(tensor.dtype().size());
        bytes >= WORTH_ASKING && raw::is_held_once(operand) && tensor.is_alone()
    })
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
