//! Values of types with `#[native_type]`, as operators take and return them.

use std::borrow::Borrow;
use std::ops::Deref;

use pyo3::prelude::*;

use super::Marshal;
use crate::object::convert::{Convert, Reading};
use crate::object::failure::Failure;

/// A value that is read and handed out as the type's author says.
pub struct Marshaled<T>(pub T);

impl<T> Deref for Marshaled<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Borrow<T> for Marshaled<T> {
    #[inline]
    fn borrow(&self) -> &T {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl<T: Marshal> Convert for Marshaled<T> {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, reading: Reading) -> Result<Self, Failure> {
        T::unpack(object, reading).map(Marshaled)
    }

    #[inline]
    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        self.0.object(py)
    }
}
