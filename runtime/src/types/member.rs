//! Field types of native structs.

use std::sync::Arc;

use super::layout::Layout;
use super::list::ListType;
use super::native_struct::{Derived, NativeStruct};
use super::optional::OptionalType;
use super::plain::Plain;
use super::tensors::Tensors;
use super::ty::TypeRef;
use crate::op::native::Native;
use crate::op::value::Value;
use crate::{Complex, DType, Device, Generator, Layout as TensorLayout, MemoryFormat, Tensor};

/// What the fields of a struct with `#[derive(NativeType)]` can be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a native type; add `#[field(skip, default = ...)]`",
    label = "no type of Python stands for it",
    note = "native types are `f64`, `i64`, `bool`, `Complex<f64>`, `String`, `Tensor`, `DType`, \
            `Device`, `Layout`, `MemoryFormat`, `Generator`, structs with \
            `#[derive(NativeType)]`, and `Option` and `Vec` of these"
)]
pub trait Member: Clone {
    /// What C has of it.
    const C: Layout = Layout::POINTER;

    /// Its type.
    fn ty() -> TypeRef;

    /// It as a value.
    fn value(&self) -> Value;

    /// A value of its type as one of it.
    fn of(value: Value) -> Option<Self>;
}

macro_rules! members {
    ($($ty:ty: $plain:ident $value:ident;)*) => {$(
        impl Member for $ty {
            const C: Layout = Layout::of_plain_field(Plain::$plain);

            fn ty() -> TypeRef {
                Arc::new(Plain::$plain)
            }

            fn value(&self) -> Value {
                Value::$value(self.clone())
            }

            fn of(value: Value) -> Option<Self> {
                if let Value::$value(it) = value { Some(it) } else { None }
            }
        }
    )*};
}

members! {
    f64: Double Float;
    i64: Int64 Int;
    bool: Boolean Bool;
    Complex<f64>: Complex128 Complex;
    String: Text Str;
    DType: DType DType;
    Device: Device Device;
    TensorLayout: Layout Layout;
    MemoryFormat: MemoryFormat MemoryFormat;
    Generator: Generator Generator;
}

impl Member for Tensor {
    fn ty() -> TypeRef {
        Arc::new(Tensors)
    }

    fn value(&self) -> Value {
        Value::Tensor(self.clone())
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::Tensor(it) = value { Some(it) } else { None }
    }
}

impl<T: Member> Member for Option<T> {
    fn ty() -> TypeRef {
        Arc::new(OptionalType::new(T::ty()))
    }

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::None, T::value)
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::None = value { Some(None) } else { T::of(value).map(Some) }
    }
}

impl<T: Member> Member for Vec<T> {
    fn ty() -> TypeRef {
        Arc::new(ListType::new(T::ty(), None))
    }

    fn value(&self) -> Value {
        Value::List(self.iter().map(T::value).collect())
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::List(items) = value { items.into_iter().map(T::of).collect() } else { None }
    }
}

impl<T: Derived> Member for T {
    const C: Layout = Layout::of_struct(T::DERIVED);

    fn ty() -> TypeRef {
        Arc::new(NativeStruct::of::<T>())
    }

    fn value(&self) -> Value {
        Value::Native(Native::new(self.clone()))
    }

    fn of(value: Value) -> Option<Self> {
        if let Value::Native(it) = value { it.take() } else { None }
    }
}
