//! Objects of Python: what is known of each, values of Rust as objects and back, and the object
//! around a tensor.
//!
//! Nothing here knows of calls; `hooks` is the way to what layers above say of their objects.

pub(crate) mod callbacks;
pub mod classes;
mod convert;
pub(crate) mod deferred;
pub(crate) mod describe;
mod element;
pub(crate) mod failure;
pub(crate) mod foreign;
pub(crate) mod gil;
pub(crate) mod hooks;
mod lifecycle;
mod list;
mod named_tuple;
pub(crate) mod native;
pub(crate) mod nested_list;
mod number;
pub(crate) mod numpy;
pub(crate) mod operators;
pub(crate) mod overrides;
pub(crate) mod package;
pub(crate) mod signals;
pub(crate) mod size;
mod tensor;
pub(crate) mod text;
pub(crate) mod trampoline;
mod values;

pub use convert::{Convert, Reading};
pub use describe::{short, type_name};
pub(crate) use element::ElementValue;
pub use failure::Failure;
pub use lifecycle::wrap;
pub(crate) use lifecycle::{
    attributes, clear, dealloc, of_class, replace, same, set_attribute, set_attributes, shape,
    stand, track, traverse,
};
pub use list::{Ints, List, OptionalTensors, Several};
pub(crate) use list::{elements, is_sequence};
pub use named_tuple::NamedTuple;
pub use number::{as_float, as_int, as_scalar};
pub(crate) use number::{beyond_i64, exact_int};
pub use numpy::is_numpy_scalar;
pub use size::Size;
pub(crate) use tensor::{
    ATTRIBUTES_OFFSET, SIZE, WEAK_OFFSET, exact, has_attributes, known_at_once,
};
pub use tensor::{Object, is_tensor, known, peek, tensor_of};
pub use text::text;
pub use values::PyTensor;
