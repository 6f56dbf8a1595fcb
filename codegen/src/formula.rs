//! Gradients: from formulas to the Rust that is printed for them.
//!
//! A formula is an expression over the values of a call. It is translated once, while building:
//! each call in it to that of an operator or of a helper, each name to what a node saves.
//!
//! ```text
//! self: grad * other.cos()      mul, cos: operators     other: saved, for the gradient of self
//! ```

mod callables;
mod checks;
mod differentiability;
mod dual;
mod function;
mod gradient;
mod model;
mod node_names;
mod numbers;
mod pick;
mod property;
mod saved;
mod scope;
mod shown;
mod translate;
mod tree;
mod value;

pub(crate) use self::callables::Callables;
pub use self::differentiability::Differentiability;
pub(crate) use self::gradient::translated;
pub use self::gradient::{Gradients, gradients};
pub use self::model::{Derived, DifferentiableInput, Gradient, GradientFormula, Hidden, Place};
pub use self::saved::{Kept, SavedSlot, Source, output_number};
pub use self::scope::saved_name;
pub use self::shown::{Shown, shown};
pub use self::tree::{Called, Tree};
