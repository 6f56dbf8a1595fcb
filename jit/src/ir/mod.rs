//! The typed program: static single assignment in basic blocks with parameters.
//!
//! Values are machine words ([`Prim`](crate::types::Prim)); tuples, arrays and structs were taken apart into words when
//! they were typed, so there is nothing compound below. An instruction that fails names a
//! [`Site`]: what is raised, and where.

mod builder;
#[cfg(any(feature = "cc", feature = "cranelift"))]
mod call_graph;
mod fold;
mod function;
pub(crate) mod ids;
mod inst;
mod math;
mod print;
mod program;

pub use self::builder::{Builder, Checkpoint};
#[cfg(any(feature = "cc", feature = "cranelift"))]
pub(crate) use self::call_graph::CallGraph;
pub(crate) use self::fold::{Folded, floor_div, floor_mod, fold, gcd, int_pow};
pub use self::function::{BlockData, Def, Function, RaisedArg, Site, Trap, ValueData};
pub use self::ids::{Block, FuncId, PlaceId, SiteId, Value, ValueList};
pub use self::inst::{Cond, Convert, Elem, Inst, Opcode, RuntimeCall, Terminator};
pub use self::math::{BlockFns, F32 as MathF32, F64 as MathF64, MATH, Math, MathFn};
pub use self::program::{
    External, ExternalCallee, ExternalFn, FunctionName, Program, SourceLoc, Stats,
};
