//! Traversal by the garbage collector of objects that nodes and their hooks hold.

use std::ptr::NonNull;

use opwright_runtime::autograd::Visit;
use pyo3::gc::{PyTraverseError, PyVisit};

use crate::raw;

/// Tells the garbage collector of the objects that `tell` shows, which the runtime holds.
pub(super) fn visited(
    visit: &PyVisit<'_>,
    tell: impl FnOnce(&mut Visit<'_>),
) -> Result<(), PyTraverseError> {
    let mut result = Ok(());
    tell(&mut |host| {
        if let (Ok(()), Some(host)) = (&result, NonNull::new(host.cast())) {
            // SAFETY: what is shown is held by who shows it.
            result = visit.call(unsafe { raw::as_reference(&host) });
        }
    });
    result
}
