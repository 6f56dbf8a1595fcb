//! Products and decompositions of matrices.
//!
//! `faer` computes them, one at a time and on one thread; here it is made
//! to fail where memory does not suffice, and to be left at an interrupt. This
//! crate knows matrices in memory, and no tensors. It is one of its own so that
//! what is generic in `faer` is compiled once, here, for the numbers that there
//! are, and not wherever operators are.
//!
//! ```
//! use opwright_linalg::{ColumnMajor, MatrixScalar, Vectors};
//!
//! let matrix = ColumnMajor::of(&[3.0, 0.0, 0.0, 4.0], (2, 2))?;
//! let found = f64::singular(matrix, Vectors::No)?;
//! assert_eq!(found.values, [4.0, 3.0]);
//! # Ok::<(), opwright_runtime::Error>(())
//! ```

mod apart;
mod cholesky;
mod columns;
mod general;
mod hermitian;
mod ldl;
mod lu;
mod matrix_scalar;
mod number;
mod product;
mod qr;
mod range;
mod singular;
mod stack;
mod triangular;

pub use columns::ColumnMajor;
pub use general::General;
pub use hermitian::Hermitian;
pub use ldl::Ldl;
pub use lu::{Lu, ProductForm};
pub use matrix_scalar::MatrixScalar;
pub use number::{RealOrComplex, RealScalar};
pub use product::{Sizes, Strided};
pub use qr::Qr;
pub use singular::{Singular, Vectors};
pub use triangular::Triangle;
