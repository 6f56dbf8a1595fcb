//! DLPack: tensors of other libraries, and ours for them, without a copy.
//!
//! Both forms of the protocol are spoken: the one with versions, and the older
//! one for consumers that do not say which versions they know.

mod export;
mod import;
mod structs;

pub(crate) use self::export::capsule;
pub(crate) use self::import::{tensor, view};
