//! What overloads return, as values of one type.

use super::Value;
use crate::{DType, Device, Generator, Layout, MemoryFormat, Scalar, Storage, Tensor};

/// What overloads return.
pub trait Returned {
    /// A value for each result.
    fn values(self) -> Vec<Value>;
}

/// What one result can be.
trait Single {
    fn value(self) -> Value;
}

macro_rules! single {
    ($($ty:ty: $value:expr;)*) => {$(
        impl Single for $ty {
            fn value(self) -> Value {
                $value(self)
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
    Generator: Value::Generator;
    Storage: Value::Storage;
    Scalar: Value::from;
}

impl<T: Single> Single for Vec<T> {
    fn value(self) -> Value {
        Value::List(self.into_iter().map(Single::value).collect())
    }
}

impl<T: Single> Single for Option<T> {
    fn value(self) -> Value {
        self.map_or(Value::None, Single::value)
    }
}

impl<T: Single> Returned for T {
    fn values(self) -> Vec<Value> {
        vec![self.value()]
    }
}

macro_rules! several {
    ($($name:ident)*) => {
        impl<$($name: Single),*> Returned for ($($name,)*) {
            #[expect(non_snake_case, reason = "a type and its value have one name here")]
            fn values(self) -> Vec<Value> {
                let ($($name,)*) = self;
                vec![$($name.value()),*]
            }
        }
    };
}

impl Returned for () {
    fn values(self) -> Vec<Value> {
        Vec::new()
    }
}

several! { A B }
several! { A B C }
several! { A B C D }
several! { A B C D E }
several! { A B C D E F }
several! { A B C D E F G }
several! { A B C D E F G H }
