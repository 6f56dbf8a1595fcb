//! The schema language and the operator files: what an author wrote, as one
//! checked [`OpSet`](model::OpSet).
//!
//! Knows no Rust tokens, no tensors and no Python.

pub mod codes;
pub mod diag;
mod kind;
mod lex;
pub mod model;
pub mod names;
pub mod parse;
mod print;
pub mod render;
pub mod source;
