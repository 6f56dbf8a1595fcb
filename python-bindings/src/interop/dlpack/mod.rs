//! DLPack in Python: capsules with the structures of [`opwright_runtime::tensor::dlpack`].
//!
//! Both forms are spoken: the one with versions, and the older one for consumers that do not say
//! which versions they know.

mod export;
mod import;

pub(crate) use self::export::capsule;
pub(crate) use self::import::{tensor, view};
