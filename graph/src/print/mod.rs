//! Graphs as texts and pictures.

mod dot;
mod layout;
mod svg;
pub(crate) mod text;
mod tree;

pub use self::dot::dot;
pub use self::svg::svg;
pub use self::tree::{Shown, tree};
