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
pub mod infer;
pub mod print;
pub mod rewrite;

mod apply;
mod argument;
mod build;
mod contract;
mod debug;
mod described;
mod drawn;
mod failure;
mod fit;
mod forms;
mod frame;
mod function;
mod fuse;
mod host;
mod intrinsic;
mod label;
mod numbers;
mod op;
mod place;
mod plan;
mod pool;
mod profile;
mod replace;
mod replaced;
mod room;
mod rows;
mod same;
pub mod scalar;
mod short;
mod step;
mod stopped;
mod traverse;
mod variable;

pub use self::apply::{Apply, Output};
pub use self::argument::Argument;
pub use self::build::{Built, custom, row};
pub use self::contract::{Given, Wanted};
pub use self::described::{Described, VjpOf};
pub use self::failure::{Bad, Failure};
pub use self::function::{BackEnd, Function, Manner, Recipe, missing, shared, unused, writing};
pub use self::fuse::{Fused, fuse};
pub use self::host::{Event, Host};
pub use self::intrinsic::{
    Attribute, DeepCopy, Extent, Item, Shape, SpecifyShape, View, attribute, deep_copy, extent,
    item, shape, specified, view,
};
pub use self::label::Label;
pub use self::op::{Custom, Elementwise, Op, Values, missing_gradient};
pub use self::place::Place;
pub use self::profile::{Noted, Profile};
pub use self::replace::{copied, equal_computations, replaced};
pub use self::rows::Rows;
pub use self::step::Memory;
pub use self::stopped::Stopped;
pub use self::traverse::{ancestors, inputs, nodes};
pub use self::variable::{Key, Shared, Variable};
