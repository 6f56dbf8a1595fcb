//! Equality of native structs: their own, else field by field.

use std::fmt;
use std::marker::PhantomData;

use super::native_struct::{Derived, NativeStruct};
use super::ty::Type;
use crate::op::native::{Native, NativeType};
use crate::op::value::Value;

/// What compares two structs: `(&Compare::<T>::NEW).equal(a, b)` is the method of [`AsSaid`] if `T`
/// is `PartialEq`, and that of [`ByFields`] else.
pub struct Compare<T>(PhantomData<T>);

impl<T> Compare<T> {
    /// The one there is.
    pub const NEW: Compare<T> = Compare(PhantomData);
}

impl<T> fmt::Debug for Compare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compare")
    }
}

/// For structs that are `PartialEq`.
pub trait AsSaid {
    /// Whether both are equal.
    fn equal(&self, a: &Native, b: &Native) -> bool;
}

impl<T: NativeType + PartialEq> AsSaid for Compare<T> {
    fn equal(&self, a: &Native, b: &Native) -> bool {
        a.get::<T>().zip(b.get::<T>()).is_some_and(|(a, b)| a == b)
    }
}

/// For all others.
pub trait ByFields {
    /// Whether both are equal.
    fn equal(&self, a: &Native, b: &Native) -> bool;
}

impl<T: Derived> ByFields for &Compare<T> {
    fn equal(&self, a: &Native, b: &Native) -> bool {
        let (a, b) = (Value::Native(a.clone()), Value::Native(b.clone()));
        NativeStruct::of::<T>().same(&a, &b)
    }
}
