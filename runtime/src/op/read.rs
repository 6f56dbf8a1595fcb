//! Arguments of a typed overload out of values of one type.

use std::marker::PhantomData;

use super::{NativeType, Value};
use crate::{
    DType, Device, Dimname, Error, Generator, Layout, MemoryFormat, Result, Scalar, Storage,
    Stream, Tensor, buffer, ensure,
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

/// What all parameters are read as: a pair of the first and of the others, the last of which is
/// `()`.
pub trait ReadAll {
    /// What is read.
    type As<'a>;

    /// How many there are.
    const COUNT: usize;

    /// Reads as many values.
    ///
    /// # Errors
    ///
    /// `Type` if there are fewer, or if one is of another type.
    fn read_all(values: &mut [Value]) -> Result<Self::As<'_>>;
}

impl ReadAll for () {
    type As<'a> = ();

    const COUNT: usize = 0;

    fn read_all(_: &mut [Value]) -> Result<()> {
        Ok(())
    }
}

impl<T: Read, Rest: ReadAll> ReadAll for (T, Rest) {
    type As<'a> = (T::As<'a>, Rest::As<'a>);

    const COUNT: usize = 1 + Rest::COUNT;

    fn read_all(values: &mut [Value]) -> Result<Self::As<'_>> {
        let (first, rest) = values.split_first_mut().ok_or_else(too_few)?;
        Ok((T::read(first)?, Rest::read_all(rest)?))
    }
}

#[cold]
fn too_few() -> Error {
    Error::wrong_type("there are too few values")
}

/// Reads as many values as there are types.
///
/// # Errors
///
/// `Type` if there are more or fewer values, or one is of another type.
pub fn read<P: ReadAll>(values: &mut [Value]) -> Result<P::As<'_>> {
    let count = values.len();
    ensure!(count == P::COUNT, Type, "expected {} values, not {count}", P::COUNT);
    P::read_all(values)
}
