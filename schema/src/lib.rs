//! The schema language and the operator files.

pub mod model;
