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

extern crate self as opwright_ops;

/// The generated operators.
#[doc(hidden)]
pub mod ops {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

pub mod gradients;
mod kernels;

pub use ops::*;
