//! Prints Rust: entry points, methods, kernel tables, operators as data, and
//! what annotations need beside them.

pub mod annotated;
mod boxed;
pub mod call;
mod calls;
mod composite;
mod copies;
pub mod derivatives;
pub mod doc;
pub mod forward;
pub mod gradient;
pub mod helpers;
pub mod lint;
mod loops;
mod materialize;
pub mod methods;
pub mod ops;
mod outs;
pub mod path;
mod reading;
mod rewrites;
pub mod rows;
pub mod structured;
mod trees;
