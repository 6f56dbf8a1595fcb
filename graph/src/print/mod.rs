//! Printing of graphs: trees, Graphviz, SVG, data.

mod dot;
mod layout;
pub(crate) mod serialized;
mod svg;
mod tree;

pub use self::dot::dot;
pub use self::svg::svg;
pub use self::tree::{Shown, tree};
