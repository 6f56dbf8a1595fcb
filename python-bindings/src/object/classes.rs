//! The Python classes that the argument parser knows by address.
//!
//! Each is set once, while the module is being imported, and lives as long as
//! the process.

pub use crate::raw::Class;

/// The native base class of tensors.
pub static TENSOR_BASE: Class = Class::new();
/// The class of the tensors that operators return.
pub static TENSOR: Class = Class::new();
/// `Size`.
pub static SIZE: Class = Class::new();
/// `dtype`.
pub static DTYPE: Class = Class::new();
/// `device`.
pub static DEVICE: Class = Class::new();
/// `layout`.
pub static LAYOUT: Class = Class::new();
/// `memory_format`.
pub static MEMORY_FORMAT: Class = Class::new();
/// `Generator`.
pub static GENERATOR: Class = Class::new();
/// What all classes of storages are derived from.
pub static STORAGE: Class = Class::new();
