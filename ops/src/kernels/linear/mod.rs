//! Products of vectors and matrices, and their triangles.

pub(crate) mod added_product;
mod bands;
pub(crate) mod contraction;
mod gemm;
mod gemv;
mod integer;
pub(crate) mod matmul;
pub(crate) mod matrix;
mod product;
pub(crate) mod triangle;
pub(crate) mod vector;
