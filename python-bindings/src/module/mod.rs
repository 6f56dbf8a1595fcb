//! A Python module: what fills it from the tables that are printed for a crate.

mod casts;
#[cfg(any(debug_assertions, feature = "switches"))]
mod fast_paths;
mod import;
mod init;
mod introspect;
mod overloads;
pub mod package;

pub use casts::casts;
pub use init::init;
pub use overloads::overloads;
