//! Unboxing of the arguments of a typed overload.

use std::marker::PhantomData;

use super::native::NativeType;
use super::value::Value;
use crate::{
    DType, Device, Dimname, Error, Generator, Layout, MemoryFormat, Reduction, Result, Scalar,
    Storage, Stream, Tensor, buffer,
};

/// What a parameter of an overload is read as.
pub trait Read {
    /// What is read, which may borrow the value.
    type As<'a>;

    /// Reads it.
    ///
    /// # Errors
    ///
    /// `Type` if the value is of another type.
    fn read(value: &mut Value) -> Result<Self::As<'_>>;
}

/// A tensor that is written to.
#[derive(Debug)]
pub enum Mut {}

/// Tensors that are written to.
#[derive(Debug)]
pub enum MutList {}

/// A list; a value alone is repeated to `N` elements.
#[derive(Debug)]
pub struct List<T, const N: usize>(PhantomData<T>);

macro_rules! read {
    ($($of:ty as $lent:ty: $read:ident;)*) => {$(
        impl Read for $of {
            type As<'a> = $lent;

            fn read(value: &mut Value) -> Result<Self::As<'_>> {
                value.$read()
            }
        }
    )*};
}

read! {
    Tensor as &'a Tensor: tensor;
    Mut as &'a mut Tensor: tensor_mut;
    MutList as Vec<&'a mut Tensor>: tensors_mut;
    i64 as i64: int;
    bool as bool: boolean;
    f64 as f64: float;
    Scalar as Scalar: scalar;
    String as &'a str: text;
    DType as DType: dtype;
    Layout as Layout: layout;
    Device as Device: device;
    MemoryFormat as MemoryFormat: memory_format;
    Reduction as Reduction: reduction;
    Generator as &'a Generator: generator;
    Storage as &'a Storage: storage;
    Dimname as Dimname: nothing;
    Stream as Stream: nothing;
}

impl<T: NativeType> Read for T {
    type As<'a> = &'a T;

    fn read(value: &mut Value) -> Result<&T> {
        value.native()
    }
}

impl<T: Read> Read for Option<T> {
    type As<'a> = Option<T::As<'a>>;

    fn read(value: &mut Value) -> Result<Self::As<'_>> {
        if let Value::None = value { Ok(None) } else { T::read(value).map(Some) }
    }
}

impl<T, const N: usize> Read for List<T, N>
where
    T: Read,
    for<'a> T::As<'a>: Clone,
{
    type As<'a> = Vec<T::As<'a>>;

    fn read(value: &mut Value) -> Result<Self::As<'_>> {
        match value {
            Value::List(items) => buffer::try_collected(items.iter_mut().map(T::read)),
            one => Ok(vec![T::read(one)?; N]),
        }
    }
}

/// The values of a call, one for each parameter.
///
/// # Errors
///
/// `Type` if there are more or fewer.
pub fn values<const N: usize>(values: &mut [Value]) -> Result<&mut [Value; N]> {
    let count = values.len();
    values.try_into().map_err(|_| wrong_count(N, count))
}

#[cold]
fn wrong_count(expected: usize, count: usize) -> Error {
    Error::wrong_type(format_args!("expected {expected} values, not {count}"))
}

/// Reads a value.
///
/// # Errors
///
/// `Type` if it is of another type.
#[inline]
pub fn read<T: Read>(value: &mut Value) -> Result<T::As<'_>> {
    T::read(value)
}
