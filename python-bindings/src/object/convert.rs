//! Conversion of arguments and results: one trait for both ways.

use pyo3::prelude::*;

use super::failure::Failure;
use crate::raw::NewReference;

/// How an argument is read.
#[derive(Clone, Copy, Default)]
pub struct Reading {
    /// To how many elements a single integer is repeated.
    pub size: usize,
}

/// What arguments are read as, and results are handed out from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither made of objects of Python nor handed out as one",
    label = "`opwright::python::Convert` is not implemented for it",
    note = "write `impl opwright::python::Convert for {Self}`: `unpack` reads an argument, `object` \
            makes a result"
)]
pub trait Convert: Sized {
    /// Whether the parameter may say how often a single value is repeated.
    const REPEATS: bool = false;

    /// The value of an argument. The resolver has already said that the argument fits; what can
    /// still fail is a value that is out of range, and Python code that an object runs.
    ///
    /// # Errors
    ///
    /// A value out of range, or an exception of the object's own code.
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure>;

    /// A result as an object.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure>;

    /// The same as generated bodies return it: a new reference.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    #[inline]
    fn wrap(self, py: Python<'_>) -> Result<NewReference, Failure> {
        Ok(self.object(py)?.into())
    }
}
