//! Boxing of the arguments of a typed overload.

use super::value::Value;
use crate::{
    DType, Device, Generator, Layout, MemoryFormat, Reduction, Result, Scalar, Storage, Tensor,
    buffer,
};

/// What overloads are given.
pub trait Given {
    /// A copy of it as a value.
    ///
    /// # Errors
    ///
    /// `Memory` if a list of them does not fit into it.
    fn given(&self) -> Result<Value>;
}

macro_rules! given {
    ($($ty:ty: $value:expr;)*) => {$(
        impl Given for $ty {
            fn given(&self) -> Result<Value> {
                Ok($value(self.clone()))
            }
        }
    )*};
}

given! {
    Tensor: Value::Tensor;
    bool: Value::Bool;
    i64: Value::Int;
    f64: Value::Float;
    Scalar: Value::from;
    DType: Value::DType;
    Layout: Value::Layout;
    Device: Value::Device;
    MemoryFormat: Value::MemoryFormat;
    Reduction: Value::from;
    Generator: Value::Generator;
    Storage: Value::Storage;
}

impl Given for str {
    fn given(&self) -> Result<Value> {
        Ok(Value::Str(self.to_owned()))
    }
}

impl<T: Given + ?Sized> Given for &T {
    fn given(&self) -> Result<Value> {
        T::given(self)
    }
}

impl<T: Given> Given for Option<T> {
    fn given(&self) -> Result<Value> {
        self.as_ref().map_or(Ok(Value::None), T::given)
    }
}

impl<T: Given> Given for [T] {
    fn given(&self) -> Result<Value> {
        buffer::try_collected(self.iter().map(T::given)).map(Value::List)
    }
}
