//! Construction of nodes: type inference, the Ops of this crate, substitution.

pub(crate) mod call;
pub mod infer;
pub(crate) mod intrinsic;
pub(crate) mod substitution;
