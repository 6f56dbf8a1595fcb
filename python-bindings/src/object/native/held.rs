//! Values of structs with `#[derive(NativeType)]`, as operators take and return them.

use std::ops::Deref;
use std::sync::Arc;

use opwright_runtime::op::Native;
use opwright_runtime::types::Derived;
use pyo3::prelude::*;

use super::class;
use crate::object::convert::{Convert, Reading};
use crate::object::failure::Failure;

/// A value that its object holds, too: it is borrowed, and stays what it was if a field of the
/// object is set meanwhile.
pub struct Held<T>(Arc<T>);

impl<T> Deref for Held<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

#[diagnostic::do_not_recommend]
impl<T: Derived> Convert for Held<T> {
    #[inline]
    fn unpack(object: &Bound<'_, PyAny>, _: Reading) -> Result<Self, Failure> {
        let held = class::held(object).and_then(Native::shared);
        held.map(Held).ok_or_else(|| class::unknown(T::NAME))
    }

    fn object(self, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
        class::object(py, Native::of_shared(self.0))
    }
}

/// What [`Convert`] makes of an object: a copy of its value.
///
/// # Errors
///
/// `TypeError` if it is none of the class.
pub fn unpack<T: Derived>(object: &Bound<'_, PyAny>) -> Result<T, Failure> {
    Held::unpack(object, Reading::default()).map(|it: Held<T>| T::clone(&it))
}

/// A new object.
///
/// # Errors
///
/// `MemoryError`.
pub fn object<T: Derived>(value: T, py: Python<'_>) -> Result<Bound<'_, PyAny>, Failure> {
    class::object(py, Native::new(value))
}

/// Lets shims take and return a struct.
#[doc(hidden)]
#[macro_export]
macro_rules! __derived {
    ($($struct:ident)::+) => {
        impl __bindings::Convert for $($struct)::+ {
            fn unpack(
                object: &__bindings::pyo3::Bound<'_, __bindings::pyo3::PyAny>,
                _: __bindings::Reading,
            ) -> ::core::result::Result<Self, __bindings::Failure> {
                __bindings::held::unpack(object)
            }

            fn object(
                self,
                py: __bindings::pyo3::Python<'_>,
            ) -> ::core::result::Result<
                __bindings::pyo3::Bound<'_, __bindings::pyo3::PyAny>,
                __bindings::Failure,
            > {
                __bindings::held::object(self, py)
            }
        }
    };
}
