//! The printers: pure functions from an operator set to text.

pub mod annotated;
pub mod boxed;
pub mod docs;
pub mod methods;
pub mod named;
pub mod ops;
pub mod python;
pub mod rust;
pub mod structured;
pub mod stub;
