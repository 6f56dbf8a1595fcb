//! DLPack: tensors of other libraries, and ours for them, without a copy.
//!
//! Both forms of the protocol are spoken: the one with versions, and the older one. Who speaks it in
//! which language passes the structures on: in capsules, or as pointers.

mod export;
mod import;
mod structs;

pub use self::export::{Export, ManagedForm};
pub use self::import::Taken;
pub use self::structs::{DataType, Managed, VERSION, Versioned, View};
