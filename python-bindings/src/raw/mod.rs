//! The interpreter's C API, as far as PyO3 has no safe function for it, or one
//! that takes longer.
//!
//! Whatever safe code calls here, with whatever arguments, objects stay valid:
//! what a function needs to know of an object is checked, or said by the type.
//! Nothing here knows of tensors or operators.

mod buffer;
mod call;
mod callable;
mod capsule;
mod collector;
mod entry;
pub(crate) mod free_list;
mod held;
mod instance;
mod interpreter;
pub mod method;
mod number;
mod reference;
mod sequence;
mod text;
mod types;

pub(crate) use buffer::{Buffer, Filled, Memory, ToFill, is_buffer};
pub use call::Names;
pub(crate) use call::{arguments, as_bound, lent};
#[cfg(feature = "jit")]
pub(crate) use callable::collected_callable;
pub(crate) use callable::{callable, set_entry};
pub(crate) use capsule::{Named, capsule_of, take_capsule};
pub(crate) use collector::{Visitor, as_reference, is_tracked, track, untrack};
pub(crate) use entry::{Answer, Lent, New, Optional, Passed, Plain, Unused, entry, passed_on};
pub(crate) use held::references;
pub(crate) use held::{held_alone, living};
pub(crate) use instance::{ClassOf, Instance, InstanceValue, free};
pub(crate) use interpreter::{imported, is_main_interpreter, recursion_limit};
pub(crate) use number::{complex, float, index, int, is_index, to_f64, to_i64, truncated};
pub use reference::NewReference;
pub use sequence::Sequence;
pub(crate) use sequence::{
    is_sequence, list, slice_into, tuple, tuple_get, tuple_instance, tuple_item, tuple_len,
    tuple_new,
};
pub use types::Class;
pub(crate) use types::{Spec, exact, instance, is_heap};
