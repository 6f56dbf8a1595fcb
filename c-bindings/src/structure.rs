//! Structs of a crate: C has those of numbers by value, and all others behind handles. Their fields
//! are read and written as `#[derive(NativeType)]` says, in the order in which it lists them.

use opwright_runtime as rt;
use opwright_runtime::op::{Native, NativeType, Value as Anything};
use opwright_runtime::types::{Derived, Member};
use opwright_runtime::{Result, buffer};

use crate::call::guarded;
use crate::handle::{self, Handle};
use crate::value::{CValue, Wrong};

/// A struct that C has by value.
pub trait ByValue: Derived {
    /// Its fields as C lays them out.
    type Fields: Copy;

    /// The values of fields.
    ///
    /// # Errors
    ///
    /// The first one that is no value of its type.
    fn values(fields: Self::Fields) -> Result<Vec<Anything>, Wrong>;

    /// The fields of one.
    fn fields(parts: &Parts) -> Self::Fields;
}

/// A struct as C has it.
#[repr(transparent)]
pub struct Struct<T: ByValue>(T::Fields);

impl<T: ByValue> Clone for Struct<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ByValue> Copy for Struct<T> {}

impl<T: ByValue> CValue for T {
    type C = Struct<T>;

    fn of(c: Struct<T>) -> Result<T, Wrong> {
        let wrong = Wrong { number: 0, expected: T::NAME };
        made(T::values(c.0)?).map_err(|_| wrong)
    }

    fn to_c(&self) -> Struct<T> {
        Struct(T::fields(&Parts(Native::new(self.clone()))))
    }
}

/// The fields of a struct.
#[derive(Debug)]
pub struct Parts(Native);

impl Parts {
    /// The one at this place, for C.
    ///
    /// # Panics
    ///
    /// If it is of another type, which is called like this one.
    pub fn at<M: Member + CValue>(&self, at: usize) -> M::C {
        match read::<M>(&self.0, at) {
            Some(part) => part.to_c(),
            None => panic!("{}", lost(self.0.name())),
        }
    }
}

/// A field that C passes, as a value.
///
/// # Errors
///
/// If it is no value of its type.
pub fn part_of<M: Member + CValue>(c: M::C) -> Result<Anything, Wrong> {
    Ok(<M as Member>::value(&<M as CValue>::of(c)?))
}

/// A struct of the values of its fields.
///
/// # Errors
///
/// `Runtime` if the type of a field is not the one that is called so.
pub fn made<T: Derived>(values: Vec<Anything>) -> Result<T> {
    (T::DERIVED.make)(values).and_then(Native::take).ok_or_else(|| lost(T::NAME))
}

/// A struct of the values of its fields; those that are not said are the defaults.
///
/// # Errors
///
/// As for [`made`].
pub fn made_or_default<T: Derived>(values: Vec<Option<Anything>>) -> Result<T> {
    let parts = T::DERIVED.parts.iter().zip(values);
    let values = parts.map(|(part, value)| value.or_else(|| part.default.map(|it| it())));
    made(values.collect::<Option<Vec<_>>>().ok_or_else(|| lost(T::NAME))?)
}

/// A field of a struct.
///
/// # Errors
///
/// As for [`made`].
pub fn part<T: Derived, M: Member>(of: &T, at: usize) -> Result<M> {
    read(&Native::new(of.clone()), at).ok_or_else(|| lost(T::NAME))
}

fn read<M: Member>(of: &Native, at: usize) -> Option<M> {
    let part = of.structure()?.parts.get(at)?;
    M::of((part.get)(of)?)
}

/// Puts another value in the place of a field.
///
/// # Errors
///
/// As for [`made`].
pub fn put_part<T: Derived>(of: &mut T, at: usize, value: Anything) -> Result<()> {
    let part = T::DERIVED.parts.get(at);
    let with = part.and_then(|it| (it.with)(&Native::new(of.clone()), value));
    *of = with.and_then(Native::take).ok_or_else(|| lost(T::NAME))?;
    Ok(())
}

#[cold]
fn lost(name: &str) -> rt::Error {
    rt::Error::runtime(format_args!(
        "a field of `{name}` is not of the type of that name which the build script has read"
    ))
}

/// References to all values of a list.
///
/// # Errors
///
/// `Memory` if there is none for them.
pub fn references<T>(list: &[T]) -> Result<Vec<&T>> {
    buffer::try_collected(list.iter().map(Ok))
}

/// Frees a handle; NULL is fine.
///
/// # Safety
///
/// It is NULL, or was handed out and is not used any more.
pub unsafe fn free<T: NativeType>(handle: *mut Handle<T>) {
    // SAFETY: the caller's.
    guarded((), || unsafe { handle::free(handle) });
}
