//! The printers: pure functions from an operator set to text.

mod alike;
pub mod c;
pub mod docs;
pub mod go;
pub mod python;
pub mod rust;
