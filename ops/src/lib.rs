//! The operators of the reference module: kernels by family, and the generated
//! entry points, one module per base name and one marker per overload.
//!
//! ```
//! use opwright_ops::{TensorOps, add};
//! use opwright_runtime::Tensor;
//!
//! let a = Tensor::from_slice(&[2], &[1.0_f32, 2.0])?;
//! assert_eq!(a.add(&a)?.to_vec::<f32>()?, [2.0, 4.0]);
//! let b = add::Tensor::call(&a, &a, 2.into())?;
//! assert_eq!(b.to_vec::<f32>()?, [3.0, 6.0]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

#![allow(clippy::too_many_arguments, reason = "kernels take as many as the schemas say")]

extern crate self as opwright_ops;

/// The generated operators.
#[doc(hidden)]
pub mod ops {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

mod arrangement;
mod creation;
mod dtype_queries;
mod elementwise;
mod fourier;
pub mod gradient;
mod indexing;
mod linalg;
mod matrices;
mod nn;
mod optim;
mod order;
mod prefetch;
mod random;
mod reduction;
mod views;

pub use ops::*;
