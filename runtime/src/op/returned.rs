//! Boxing of the results of overloads.

use opwright_tables::str_enum_rows;
use smallvec::{SmallVec, smallvec};

use super::native::{Native, NativeType};
use super::value::Value;
use crate::{
    DType, Device, Generator, Layout, MemoryFormat, Reduction, Result, Scalar, Storage, Tensor,
    buffer,
};

/// The results of a call: mostly one or two, which take no memory of their own.
pub type Results = SmallVec<[Value; 2]>;

/// What overloads return.
pub trait Returned {
    /// A value for each result.
    ///
    /// # Errors
    ///
    /// `Memory` if a list of them does not fit into it.
    fn values(self) -> Result<Results>;
}

/// The values of what a call has returned.
///
/// # Errors
///
/// That of the call; `Memory` as [`Returned::values`].
#[inline]
pub fn returned<R: Returned>(result: Result<R>) -> Result<Results> {
    result.and_then(R::values)
}

/// What one result can be.
trait Single {
    fn value(self) -> Result<Value>;
}

macro_rules! single {
    ($($ty:ty: $value:expr;)*) => {$(
        impl Single for $ty {
            fn value(self) -> Result<Value> {
                Ok($value(self))
            }
        }
    )*};
}

single! {
    Tensor: Value::Tensor;
    bool: Value::Bool;
    i64: Value::Int;
    f64: Value::Float;
    String: Value::Str;
    DType: Value::DType;
    Layout: Value::Layout;
    Device: Value::Device;
    MemoryFormat: Value::MemoryFormat;
    Reduction: Value::from;
    Generator: Value::Generator;
    Storage: Value::Storage;
    Scalar: Value::from;
}

macro_rules! str_enums {
    ({} $(
        $(#[$doc:meta])* $enum:ident $name:literal $kind:ident $message:literal { $($variants:tt)* }
    )*) => {
        single! { $(crate::$enum: Value::from;)* }
    };
}

str_enum_rows! { str_enums {} }

impl<T: NativeType> Single for T {
    fn value(self) -> Result<Value> {
        Ok(Value::Native(Native::new(self)))
    }
}

impl<T: Single> Single for Vec<T> {
    fn value(self) -> Result<Value> {
        buffer::try_collected(self.into_iter().map(Single::value)).map(Value::List)
    }
}

impl<T: Single> Single for Option<T> {
    fn value(self) -> Result<Value> {
        self.map_or(Ok(Value::None), Single::value)
    }
}

impl<T: Single> Returned for T {
    fn values(self) -> Result<Results> {
        Ok(smallvec![self.value()?])
    }
}

/// Tuples of these, and of all but the first few.
macro_rules! several {
    ($last:ident) => {};
    ($first:ident $($name:ident)+) => {
        impl<$first: Single, $($name: Single),+> Returned for ($first, $($name),+) {
            #[expect(non_snake_case, reason = "a type and its value have one name here")]
            fn values(self) -> Result<Results> {
                let ($first, $($name),+) = self;
                Ok(smallvec![$first.value()?, $($name.value()?),+])
            }
        }
        several! { $($name)+ }
    };
}

impl Returned for () {
    fn values(self) -> Result<Results> {
        Ok(Results::new())
    }
}

several! { A B C D E F G H I J K L M N O P }
