//! The Python side of a module of operators: the argument parser, the shims
//! around kernels, and the tensor class.
//!
//! A module that is generated elsewhere links this crate and hands its tables
//! to [`module::init`]; the reference module is one.

pub mod args;
mod autograd;
mod casts;
pub mod classes;
mod convert;
mod entry;
mod failure;
mod graph;
mod hooks;
mod interop;
mod introspect;
#[cfg(feature = "jit")]
mod jit;
pub mod method;
pub mod module;
mod named_tuple;
mod native;
mod op;
mod overloads;
mod overrides;
pub mod package;
mod raw;
pub mod shim;
mod signals;
mod storage;
mod tables;
pub mod tensor;
pub mod types;

pub use args::tuple_of;
pub use casts::casts;
pub use convert::{Convert, Reading};
pub use failure::{Failure, exception, raise};
pub use named_tuple::NamedTuple;
pub use native::held::{self, Held};
pub use native::{Marshal, Marshaled, Native, NativeKind};
pub use opwright_runtime as runtime;
pub use overloads::overloads;
pub use pyo3;
pub use pyo3::ffi;
pub use raw::NewReference;
pub use tables::{MethodTable, Methods, Named, Operators, Slot, Tables};

#[cfg(feature = "reserve")]
#[global_allocator]
static MEMORY: runtime::reserve::Reserve = runtime::reserve::Reserve(std::alloc::System);
