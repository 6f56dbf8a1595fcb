//! Types: sets of values, what is accepted into them, and how two of their values are compared.
//!
//! A type is immutable. It says what a variable of a graph can be: [`TensorType`] is the set of the
//! tensors of a dtype and of a shape that may be known in part, [`Plain`] the set of the values of
//! a type of the host's language, and crates and hosts bring types of their own by implementing
//! [`Type`].

pub(crate) mod clash;
pub(crate) mod coerce;
mod compare;
mod describe;
#[cfg(test)]
mod laws;
pub(crate) mod layout;
pub(crate) mod list;
mod lossless;
mod member;
pub(crate) mod native_struct;
mod number;
pub(crate) mod optional;
pub(crate) mod plain;
pub(crate) mod refusal;
pub(crate) mod struct_descriptor;
mod structure;
pub(crate) mod tensor;
pub(crate) mod tensors;
pub(crate) mod ty;

pub use self::clash::Clash;
pub use self::coerce::Coerce;
#[doc(hidden)]
pub use self::compare::{AsSaid, ByFields, Compare};
pub use self::layout::{Layout, ValueLayout};
pub use self::list::ListType;
pub use self::member::Member;
pub use self::native_struct::{Derived, NativeStruct};
pub use self::optional::OptionalType;
pub use self::plain::Plain;
pub use self::refusal::Refusal;
pub use self::struct_descriptor::{StructField, Structure};
pub use self::structure::{Field, StructType};
pub use self::tensor::{Extents, TensorType, Tolerance};
pub use self::tensors::Tensors;
pub use self::ty::{Type, TypeRef};
