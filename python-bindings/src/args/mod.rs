//! From the arguments of a Python call to the Rust values of an overload.
//!
//! [`classify`] looks at each argument once, the runtime's resolver picks the
//! overload, and [`Call`] hands out the values by parameter.

mod call;
mod classify;
mod describe;
mod keywords;
mod number;
mod numpy;
mod sequence;
mod unpack;

pub use call::{Call, Gil};
pub use classify::classify;
pub use describe::{short, type_name};
pub use keywords::Names;
pub use number::{as_float, as_int, as_scalar};
pub use numpy::is_numpy_scalar;
pub use sequence::Sequence;
pub use unpack::{
    Bools, Floats, Ints, OptionalTensors, Scalars, TensorArg, TensorMut, Tensors, Unpack,
};
