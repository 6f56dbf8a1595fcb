//! Products of vectors and matrices, and their triangles.

pub(crate) mod added_product;
mod bands;
pub(crate) mod contraction;
pub(crate) mod distance;
pub(crate) mod einsum;
mod equation;
mod gemm;
pub(crate) mod gemv;
pub(crate) mod matmul;
pub(crate) mod matrix;
mod packed;
mod pieces;
mod plain;
mod product;
mod slot;
pub(crate) mod triangle;
pub(crate) mod vector;
