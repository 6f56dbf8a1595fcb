//! From the arguments of a Python call to the Rust values of an overload.
//!
//! [`classify`] looks at each argument once, the runtime's resolver picks the
//! overload, and [`Call`] hands out the values by parameter.

mod arrays;
mod call;
mod classify;
pub(crate) mod counterpart;
mod describe;
mod explain;
mod gil;
mod held;
mod list;
mod number;
mod numpy;
mod options;
mod overridden;
mod resized;
mod vectorcall;
mod written;

pub(crate) use arrays::{Arrays, accept_arrays};
pub use call::Call;
pub use classify::classify;
pub use describe::{short, type_name};
pub use explain::{mismatch, mismatch_text};
pub(crate) use gil::add as add_threshold;
pub(crate) use gil::count_always;
pub use gil::{Gil, THRESHOLD, threshold};
pub use list::{Ints, List, OptionalTensors, Several};
pub(crate) use list::{elements, is_sequence, no_list};
use number::beyond_i64;
pub(crate) use number::exact_int;
pub use number::{as_float, as_int, as_scalar};
pub use numpy::is_numpy_scalar;
pub(crate) use vectorcall::Gathered;
pub use vectorcall::Vectorcall;
pub use written::{TensorMut, TensorsMut, tuple_of};

pub use crate::raw::{Names, Sequence};
