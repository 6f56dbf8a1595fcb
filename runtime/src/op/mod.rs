//! Operators as data: what is declared of an overload, and a way to call it with values of one
//! type.
//!
//! The build script of a crate prints a row for each of its overloads, in the order of their base
//! names, as the table `ops::OPERATORS`.

pub(crate) mod constant;
pub(crate) mod formula;
mod given;
pub(crate) mod native;
pub(crate) mod operator;
mod read;
pub(crate) mod returned;
mod rewrite;
pub(crate) mod sets;
mod str_enum;
pub(crate) mod types;
pub(crate) mod value;

pub use self::constant::Constant;
pub use self::formula::{Formula, Formulas, Question, Sign, Tree};
pub use self::given::Given;
pub use self::native::{Native, NativeType};
pub use self::operator::{
    Calculates, Described, ElementLoop, Gradient, MakeLoop, Operator, Param, Reduction, Slot, find,
    overloads,
};
pub use self::read::{List, Mut, MutList, Read, read, values};
pub use self::returned::{Results, Returned, returned};
pub use self::rewrite::Rewrite;
pub use self::sets::Sets;
pub use self::str_enum::{checked, variant};
pub use self::types::Type;
pub use self::value::Value;
