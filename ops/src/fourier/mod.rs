//! Discrete Fourier transforms.
//!
//! Three operators do the work: complex to complex, real to complex, complex to
//! real, along any dimensions. All others prepare dtypes and sizes for them.

pub(crate) mod frequencies;
pub(crate) mod many;
pub(crate) mod one;
pub(crate) mod short_time;
mod space;
pub(crate) mod transform;
