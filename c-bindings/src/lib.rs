//! The C side of a library of operators: handles, errors, and what printed functions read their
//! arguments and write their results with.
//!
//! A build script prints the functions, see `opwright_codegen::build::c`; the reference library,
//! which the feature `library` adds, is this crate applied to the operators of `opwright-ops`.

#[cfg(panic = "abort")]
compile_error!("a panic has to become an error, so the profile must not say `panic = \"abort\"`");

#[cfg(feature = "library")]
extern crate self as opwright_c_bindings;

mod apart;
mod call;
mod count;
mod error;
pub mod fixed;
mod handle;
mod list;
mod operator;
mod optimizer;
mod ready;
mod scope;
mod structure;
#[doc(hidden)]
pub mod testing;
mod value;

pub use opwright_runtime as runtime;
pub use opwright_runtime::tensor::dlpack::{
    Managed as DLManagedTensor, Versioned as DLManagedTensorVersioned,
};

pub use self::apart::Apart;
pub use self::call::{CallNames, run};
pub use self::error::{Error, ErrorKind, Status};
pub use self::handle::{Generator, Handle, Optimizer, Pointee, Storage, Tensor};
pub use self::list::{IntList, NamedTensor, NamedTensorList, TensorList};
pub use self::operator::{Operator, Operators};
pub use self::ready::{Outcome, Ready, ready};
pub use self::structure::{
    ByValue, Parts, Struct, free, made, made_or_default, part, part_of, put_part, references,
};
pub use self::value::{
    Bool, CValue, Deleter, Device, Dtype, EnumConstant, Layout, MemoryFormat, Scalar, ScalarKind,
    Wrong,
};

/// The operators of the reference library.
#[cfg(feature = "library")]
#[doc(hidden)]
pub use opwright_ops::ops;

/// The functions of the reference library.
#[cfg(feature = "library")]
#[allow(
    clippy::undocumented_unsafe_blocks,
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "printed: callers keep what the header says, and functions take what schemas say"
)]
mod library {
    include!(concat!(env!("OUT_DIR"), "/c.rs"));
}

#[cfg(feature = "library")]
#[global_allocator]
static MEMORY: runtime::reserve::Reserve = runtime::reserve::Reserve(std::alloc::System);
