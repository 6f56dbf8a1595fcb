//! Intrinsic Ops on values of any type, which no crate declares as operators.

mod copy;
mod item;
mod shape;
mod specify_shape;

pub use self::copy::{DeepCopy, ViewOp, deep_copy, view};
pub use self::item::{Attribute, ItemOp, attribute, item};
pub use self::shape::{ExtentOp, ShapeOp, extent, shape};
pub use self::specify_shape::{SpecifyShape, specified};
