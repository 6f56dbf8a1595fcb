//! Graphs of operator calls, and functions that are made of them.
//!
//! A [`Variable`] stands for a value that is not there yet. An operator that is called on variables
//! makes an [`Apply`], a node that knows the operator, its arguments and the types of its results,
//! which [`infer`] finds by asking the operator's Meta kernels. A [`Function`] runs a graph.
//!
//! Operators are rows of tables, see [`opwright_runtime::op`]: no name of one stands here.

#[cfg(feature = "cc")]
pub mod cc;
pub mod grad;
pub mod print;
pub mod rewrite;

mod build;
mod lower;
mod model;
mod run;

pub use self::build::call::{Built, row};
pub use self::build::infer;
pub use self::build::intrinsic::{
    Attribute, DeepCopy, ExtentOp, ItemOp, ShapeOp, SpecifyShape, ViewOp, attribute, deep_copy,
    extent, item, shape, specified, view,
};
pub use self::build::substitution::{copied, replaced};
pub use self::lower::debug::BackEnd;
pub use self::lower::fuse::{Fused, fuse};
pub use self::lower::inputs::{missing, shared, unused, writing};
pub use self::lower::spec::{FunctionSpec, InputSpec, Instrument, Mode, OutputSpec};
pub use self::model::apply::{Apply, NodeOutput, custom};
pub use self::model::argument::NodeArgument;
pub use self::model::error::{GraphError, Violation};
pub use self::model::label::{CallSite, Label};
pub use self::model::op::{Custom, Elementwise, Op, Results};
pub use self::model::operator_tables::OperatorTables;
pub use self::model::structural_equality::equal_computations;
pub use self::model::traverse::{ancestors, inputs, nodes};
pub use self::model::variable::{SharedValue, Variable, VariableKey};
pub use self::print::serialized::SerializedOp;
pub use self::run::error::ExecutionError;
pub use self::run::function::Function;
pub use self::run::host::{Event, Host};
pub use self::run::profile::{FunctionProfile, NodeProfile};
pub use self::run::scalar;
pub use self::run::step::MemoryUse;
