//! The Python side of a module of operators: the argument parser, the shims
//! around kernels, and the tensor class.
//!
//! A module that is generated elsewhere links this crate and hands its tables
//! to [`module::init`]. The reference module, which the feature `module`
//! adds, is this crate applied to its own operators.

#[cfg(feature = "module")]
extern crate self as opwright_python_bindings;

pub mod args;
mod autograd;
pub mod classes;
mod convert;
mod entry;
mod failure;
mod graph;
mod interop;
mod introspect;
pub mod method;
pub mod module;
mod named_tuple;
mod native;
mod op;
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
pub use convert::{Convert, Reading};
pub use failure::{Failure, exception, raise};
pub use named_tuple::NamedTuple;
pub use native::held::{self, Held};
pub use native::{Marshal, Marshaled, Native, NativeKind};
pub use opwright_runtime as runtime;
pub use pyo3;
pub use pyo3::ffi;
pub use raw::NewReference;
pub use tables::{MethodTable, Methods, Named, Operators, Slot, Tables};

#[cfg(feature = "module")]
pub use opwright_ops::ops;

/// The generated tables of the reference module.
#[cfg(feature = "module")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/python.rs"));
}

/// The reference module's init function.
#[cfg(feature = "module")]
#[pyo3::pymodule]
#[pyo3(name = "_C")]
fn reference_module(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
    use pyo3::types::PyAnyMethods;
    module::init(module, &generated::TABLES)?;
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))
}
