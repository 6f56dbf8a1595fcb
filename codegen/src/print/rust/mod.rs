//! Prints Rust: entry points, methods, kernel tables, and what tests and
//! annotations need beside them.

pub mod annotated;
pub mod boxed;
pub mod call;
pub mod doc;
pub mod forward;
pub mod lint;
pub mod methods;
pub mod ops;
pub mod path;
pub mod structured;
