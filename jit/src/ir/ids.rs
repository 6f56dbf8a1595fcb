//! Entity references: values, blocks, places, sites and functions by number.

use smallvec::SmallVec;

/// A value: the result of an instruction, or a parameter of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A basic block of a [`Function`](super::Function).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block(pub u32);

/// A place in [`Program::places`](super::Program::places).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PlaceId(pub u32);

/// A row of [`Function::sites`](super::Function::sites).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SiteId(pub u32);

/// A row of [`Program::functions`](super::Program::functions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FuncId(pub u32);

/// Lists of values.
pub type ValueList = SmallVec<[Value; 4]>;
