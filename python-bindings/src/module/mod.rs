//! A Python module: what fills it from the tables that are printed for a crate.

mod casts;
mod import;
mod init;
mod introspect;
mod overloads;
pub mod package;

pub use casts::casts;
pub use init::init;
pub use overloads::overloads;
