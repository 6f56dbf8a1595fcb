//! Mistakes of an author at their places in files: what is wrong, where, and the way out.
//!
//! Knows no schema, no Rust tokens and no Python: whoever reads what people write reports by it.

pub mod diag;
pub mod render;
pub mod source;
pub mod span;

pub use diag::{Diagnostic, Diagnostics, Severity};
pub use render::render;
pub use source::Sources;
pub use span::{SourceId, Span, Spanned};
