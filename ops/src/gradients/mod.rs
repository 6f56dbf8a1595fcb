//! Helpers of formulas, by family, and what passes add gradients with.
//!
//! Helpers do to tensors what they do through operators, so that passes can be recorded.

pub(crate) mod activations;
pub(crate) mod arcs;
mod arithmetic;
pub(crate) mod binary;
pub(crate) mod copies;
pub(crate) mod decompositions;
pub(crate) mod determinants;
pub(crate) mod directions;
pub(crate) mod elementwise;
pub(crate) mod fourier;
pub(crate) mod indexing;
pub(crate) mod layer_norm;
pub(crate) mod linalg;
pub(crate) mod losses;
mod masks;
mod polar;
pub(crate) mod pooling;
pub(crate) mod pseudoinverses;
pub(crate) mod reductions;
pub(crate) mod shapes;
pub(crate) mod triangles;

pub use self::arithmetic::{ARITHMETIC, SUM};
