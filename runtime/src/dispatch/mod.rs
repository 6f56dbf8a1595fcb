//! The dispatcher: from an overload and its arguments to a kernel.
//!
//! Each overload is a type that implements [`Op`], and has one static
//! [`KernelTable`]. A call collects the [`KeySet`] of its arguments and takes
//! the kernel that the table has for its highest key; nothing is looked up by name.

mod exclude;
pub(crate) mod key;
mod seen;
mod table;

pub use self::exclude::{ExcludeKeys, below};
pub(crate) use self::key::TensorFlags;
pub use self::key::{DispatchKey, KeySet};
pub use self::seen::seen;
pub use self::table::KernelTable;

use crate::DType;

/// One overload of an operator.
pub trait Op {
    /// The type of the kernels, a function pointer.
    type Kernel: Copy + Send + Sync + 'static;

    /// The name with the overload's name: `base.overload`.
    const NAME: &'static str;

    /// The schema, as it was written.
    const SCHEMA: &'static str;

    /// The kernels by dispatch key.
    fn kernels() -> &'static KernelTable<Self::Kernel>;
}

/// An overload whose shapes and dtypes come from a rule of its own, or from one of the runtime with
/// a check of its own.
pub trait StructuredOp: Op {
    /// The type of the rule, a function pointer.
    type Rule: Copy + Send + Sync + 'static;

    /// The type of the check, a function pointer.
    type Check: Copy + Send + Sync + 'static;

    /// The dtypes that its kernels say they are for; none if they do not.
    const DTYPES: &'static [DType] = &[];
}
