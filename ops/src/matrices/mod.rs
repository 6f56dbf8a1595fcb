//! Products of vectors and matrices, and their triangles.

pub(crate) mod added_product;
mod coefficients;
pub(crate) mod contraction;
pub(crate) mod distance;
pub(crate) mod einsum;
mod equation;
mod gemm;
mod gemv;
pub(crate) mod matmul;
pub(crate) mod matrix;
mod naive;
mod operands;
mod packed;
mod pieces;
pub(crate) mod product;
pub(crate) mod triangle;
pub(crate) mod vector;
