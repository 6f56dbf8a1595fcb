//! From the arguments of a Python call to the Rust values of an overload.
//!
//! [`classify`] looks at each argument once, the runtime's resolver picks the
//! overload, and [`Call`] hands out the values by parameter.

mod arrays;
mod call;
mod classify;
mod describe;
mod explain;
mod gil;
mod held;
mod mutated;
mod options;
mod overridden;
mod resized;
mod vectorcall;

pub(crate) use arrays::{Arrays, accept_arrays};
pub use call::Call;
pub use classify::classify;
pub use explain::{mismatch, mismatch_text};
pub use gil::Gil;
pub use mutated::{TensorMut, TensorsMut, tuple_of};
pub(crate) use vectorcall::Gathered;
pub use vectorcall::Vectorcall;

pub use crate::object::{List, OptionalTensors, Several};
pub use crate::raw::{Names, Sequence};
