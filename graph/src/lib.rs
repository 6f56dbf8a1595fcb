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
    Attribute, DeepCopy, Extent, Item, Shape, SpecifyShape, View, attribute, deep_copy, extent,
    item, shape, specified, view,
};
pub use self::build::replace::{copied, equal_computations, replaced};
pub use self::lower::debug::BackEnd;
pub use self::lower::fuse::{Fused, fuse};
pub use self::lower::inputs::{missing, shared, unused, writing};
pub use self::lower::spec::{FunctionSpec, InputSpec, Instrument, Mode, OutputSpec};
pub use self::model::apply::{Apply, Output, custom};
pub use self::model::argument::Argument;
pub use self::model::failure::{Bad, Failure};
pub use self::model::label::Label;
pub use self::model::op::{Custom, Elementwise, Op, Values};
pub use self::model::place::Place;
pub use self::model::rows::Rows;
pub use self::model::traverse::{ancestors, inputs, nodes};
pub use self::model::variable::{Key, Shared, Variable};
pub use self::print::described::Described;
pub use self::run::function::Function;
pub use self::run::host::{Event, Host};
pub use self::run::profile::{Noted, Profile};
pub use self::run::scalar;
pub use self::run::step::Memory;
pub use self::run::stopped::Stopped;
