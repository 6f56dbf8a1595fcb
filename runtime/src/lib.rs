//! A small CPU tensor library: strided views of shared memory, dtypes and their
//! promotion, element-wise loops, reductions, random numbers, and a dispatcher.
//!
//! It contains no operator, and knows neither schemas nor Python: operators are
//! built from it elsewhere. See [`Tensor`], [`iterate`], [`reduce`],
//! [`structured`] and [`dispatch`](mod@dispatch).
//!
//! ```
//! use opwright_runtime::{Result, Spec, Tensor, dispatch, iterate, view};
//!
//! /// The body of an operator: what it gives, and how, for each dtype.
//! fn doubled(x: &Tensor) -> Result<Tensor> {
//!     let mut out = Spec::elementwise(&[x])?.allocate()?;
//!     dispatch!(out.dtype(), "doubled", number, |T| iterate::unary(x, &mut out, twice::<T>))?;
//!     Ok(out)
//! }
//!
//! fn twice<T: opwright_runtime::dtype::Number>(x: T) -> T {
//!     x.plus(x)
//! }
//!
//! let x = Tensor::from_slice(&[2, 2], &[1, 2, 3, 4])?;
//! assert_eq!(doubled(&view::select(&x, 1, 0)?)?.to_vec::<i64>()?, [2, 6]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

pub mod along_dim;
pub mod autograd;
pub mod block_cache;
pub mod buffer;
pub mod core_dims;
pub mod dispatch;
pub mod dtype;
pub mod dual;
pub mod fast_path;
pub mod file;
pub mod geometry;
pub mod interrupt;
pub mod iterate;
pub mod lock;
pub mod op;
pub mod parallel;
pub mod promote;
pub mod reduce;
pub mod reserve;
pub mod resolve;
pub mod structured;
pub mod tensor;
pub mod testing;
pub mod typed;
pub mod types;
pub mod warning;

mod absent;
mod device;
mod error;
mod generator;
mod philox;
mod rng_replay;
mod scalar;

pub use half::{bf16, f16};
pub use ndarray;
pub use num_complex::Complex;
pub use num_traits;
#[doc(hidden)]
pub use opwright_tables as tables;
pub use opwright_tables::str_enum::*;
pub use opwright_tables::{ErrorKind, Layout, MemoryFormat, Reduction};
pub use opwright_vecmath::{Isa, isa, multiversion};

pub use crate::absent::{Dimname, Stream};
pub use crate::device::Device;
pub use crate::dispatch::{DispatchKey, KernelTable, KeySet, Op, StructuredOp};
pub use crate::dtype::{DType, Element, default_dtype, set_default_dtype};
pub use crate::error::{Error, Result};
pub use crate::generator::{Draws, Generator};
pub use crate::rng_replay::RngReplay;
pub use crate::scalar::Scalar;
pub use crate::structured::Spec;
pub use crate::tensor::{PinnedStorage, Storage, Tensor, view};
