//! Graphs as texts and pictures.

pub(crate) mod described;
mod dot;
mod layout;
mod svg;
mod tree;

pub use self::dot::dot;
pub use self::svg::svg;
pub use self::tree::{Shown, tree};
