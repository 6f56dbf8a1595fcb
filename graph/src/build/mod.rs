//! Making nodes: type inference, the Ops of this crate's own, substitution.

pub(crate) mod call;
pub mod infer;
pub(crate) mod intrinsic;
pub(crate) mod replace;
pub(crate) mod substitution;
