//! Registrations of types and overloads: how many there were, and what holds until the next one.

use std::sync::atomic::{AtomicU64, Ordering};

use opwright_jit::types::Ty;
use opwright_runtime::lock::Lock;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::objects;

/// Grows with each registration: what was compiled before may be resolved otherwise now.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// How often something was registered.
#[inline]
pub(super) fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// Has what was compiled before looked at anew.
pub(super) fn advance() {
    GENERATION.fetch_add(1, Ordering::AcqRel);
}

/// Says that something was registered.
#[pyfunction]
pub(super) fn changed() {
    advance();
}

/// The types of classes whose instances have one for good, and at what count of registrations they
/// were looked for.
static CONSTANTS: Lock<Vec<(usize, u64, Ty)>> = Lock::new(Vec::new());

/// The type of an object whose class has one for good, if it was looked for.
pub(super) fn constant(object: &Bound<'_, PyAny>) -> Option<Ty> {
    let known = CONSTANTS.lock();
    let class = object.get_type_ptr().addr();
    let (_, at, ty) = known.iter().find(|(it, ..)| *it == class)?;
    (*at == generation()).then_some(*ty)
}

/// Says which type the instances of a class have for good, as far as was registered until `now`.
pub(super) fn set_constant(class: &Bound<'_, PyType>, now: u64, ty: Ty) {
    // The class is kept, so that no other gets its address.
    objects::keep(class.as_any());
    let mut known = CONSTANTS.lock();
    let address = class.as_ptr().addr();
    known.retain(|(it, ..)| *it != address);
    known.push((address, now, ty));
}
