//! What the fields of native structs can be.

use std::sync::Arc;

use super::{Derived, ListType, NativeStruct, OptionalType, Plain, Structure, Tensors, TypeRef};
use crate::op::{Native, Value};
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

/// What C calls a field, and how much room it takes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Its type.
    pub name: &'static str,
    /// How many bytes it has; its address is a multiple of `step`.
    pub size: usize,
    /// What its address is a multiple of.
    pub step: usize,
}

impl Layout {
    /// Something elsewhere.
    pub const POINTER: Layout = Layout::of("void *", 8, 8);

    const fn of(name: &'static str, size: usize, step: usize) -> Layout {
        Layout { name, size, step }
    }

    /// A struct, if C sees its fields; else something elsewhere.
    const fn of_struct(structure: &Structure) -> Layout {
        let Some(name) = structure.c else { return Layout::POINTER };
        let (mut size, mut step, mut at) = (0_usize, 1, 0);
        while at < structure.parts.len() {
            if let Some(part) = structure.parts[at].c {
                size = size.next_multiple_of(part.step) + part.size;
                step = if part.step > step { part.step } else { step };
            }
            at += 1;
        }
        Layout::of(name, size.next_multiple_of(step), step)
    }
}

macro_rules! members {
    ($($ty:ty: $plain:ident $value:ident $([$name:literal $size:literal $step:literal])?;)*) => {$(
        impl Member for $ty {
            $(const C: Layout = Layout::of($name, $size, $step);)?

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
    f64: Double Float ["double" 8 8];
    i64: Int64 Int ["int64_t" 8 8];
    bool: Boolean Bool ["bool" 1 1];
    Complex<f64>: Complex128 Complex ["double complex" 16 8];
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
