//! The graph itself: variables, the nodes that compute them, and what a node does.

pub(crate) mod apply;
pub(crate) mod argument;
pub(crate) mod error;
pub(crate) mod fit;
pub(crate) mod label;
pub(crate) mod op;
pub(crate) mod operator_tables;
pub(crate) mod rng_replay;
pub(crate) mod structural_equality;
pub(crate) mod text;
pub(crate) mod traverse;
pub(crate) mod variable;
