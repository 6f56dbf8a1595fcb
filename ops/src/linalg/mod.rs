//! Linear algebra: decompositions of matrices, and what follows from them.

mod batch;
mod chain;
pub(crate) mod cholesky;
pub(crate) mod determinant;
pub(crate) mod eigen;
pub(crate) mod exponential;
pub(crate) mod gradient;
pub(crate) mod inverse;
pub(crate) mod ldl;
pub(crate) mod least_squares;
pub(crate) mod lu;
pub(crate) mod lu_solve;
pub(crate) mod norms;
pub(crate) mod older;
pub(crate) mod power;
pub(crate) mod products;
pub(crate) mod pseudoinverse;
pub(crate) mod qr;
pub(crate) mod rank;
pub(crate) mod reflectors;
mod results;
pub(crate) mod singular;
mod slots;
pub(crate) mod solve;
pub(crate) mod triangular;
pub(crate) mod unpack;
