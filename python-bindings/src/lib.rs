//! The Python side of a module of operators: the argument parser, the shims
//! around kernels, and the tensor class.
//!
//! A module that is generated elsewhere links this crate and hands its tables
//! to [`module::init`]; the reference module is one.
//!
//! Folders are layers, each of which uses those before it alone: `raw`, `object`, `interop`,
//! `types`, `args`, `call`, `op`, `autograd`, then storages and tensors, graphs and compiled
//! functions, programs of XLA, and the module. The hooks of objects and calls are the only way up.

pub mod args;
mod autograd;
mod call;
mod construct;
mod graph;
mod interop;
#[cfg(feature = "jit")]
mod jit;
pub mod module;
pub mod object;
mod op;
mod raw;
mod storage;
pub mod tensor;
pub mod types;
mod xla;

pub use args::tuple_of;
pub use call::shim;
pub use call::tables::{Operators, PythonName, Tables};
pub use module::{casts, overloads, package};
pub use object::failure::{Failure, exception, raise};
pub use object::native::held::{self, Held};
pub use object::native::marshal::Marshaled;
pub use object::native::{Marshal, Native, NativeKind};
pub use object::{Convert, NamedTuple, Reading, classes};
pub use op::functional;
pub use opwright_runtime as runtime;
pub use pyo3;
pub use pyo3::ffi;
pub use raw::NewReference;
pub use raw::method::{self, MethodTable, Methods, Slot};

#[cfg(feature = "reserve")]
#[global_allocator]
static MEMORY: runtime::reserve::Reserve = runtime::reserve::Reserve(std::alloc::System);
