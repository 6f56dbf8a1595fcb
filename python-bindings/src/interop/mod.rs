//! Memory that is shared with others: the buffer protocol in both directions,
//! numpy, DLPack.

pub(crate) mod dlpack;
pub(crate) mod export;
mod format;
pub(crate) mod import;
pub(crate) mod numpy;
