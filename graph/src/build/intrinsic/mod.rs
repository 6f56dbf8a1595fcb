//! What nodes do for values of any type: no crate declares these as operators.

mod copied;
mod part;
mod shape;
mod specified;

pub use self::copied::{DeepCopy, ViewOp, deep_copy, view};
pub use self::part::{Attribute, ItemOp, attribute, item};
pub use self::shape::{ExtentOp, ShapeOp, extent, shape};
pub use self::specified::{SpecifyShape, specified};
