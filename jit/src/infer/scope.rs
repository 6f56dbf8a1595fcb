//! The function whose body is typed: what its locals are bound to, and where its jumps go.

use std::sync::Arc;

use super::value::Typed;
use crate::ast::FunctionId;
use crate::host::Code;
use crate::ir::{Block, PlaceId, Value};
use crate::types::{Obj, Ty};

/// What a local is bound to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binding {
    /// Nothing was assigned.
    Unset,
    /// This value.
    Set(Typed),
    /// This value if the bool is true, else nothing.
    Maybe(Typed, Value),
    /// Values that do not go together, on different ways here.
    Clash(Ty, Ty),
}

/// A way to a join: the block that ends there, and what is bound then.
#[derive(Clone, Debug)]
pub(crate) struct JoinEdge {
    pub(crate) block: Block,
    pub(crate) vars: Vec<Binding>,
    pub(crate) value: Option<Typed>,
}

/// A loop around what is typed.
#[derive(Default)]
pub(crate) struct LoopFrame {
    pub(crate) breaks: Vec<JoinEdge>,
    pub(crate) continues: Vec<JoinEdge>,
}

/// A function whose body is typed.
pub(crate) struct FunctionScope {
    pub(crate) code: Arc<Code>,
    pub(crate) function: FunctionId,
    /// The function of the host that free names are looked up in.
    pub(crate) host: Obj,
    pub(crate) vars: Vec<Binding>,
    /// The scope around a nested function.
    pub(crate) parent: Option<usize>,
    pub(crate) source: u32,
    /// Where it is called, if it is written in place.
    pub(crate) caller: Option<PlaceId>,
    pub(crate) returns: Vec<JoinEdge>,
    pub(crate) loops: Vec<LoopFrame>,
    /// How many statements outside of it hold values in between.
    pub(crate) temporaries: usize,
}

impl FunctionScope {
    pub(crate) fn new(
        code: Arc<Code>,
        function: FunctionId,
        host: Obj,
        parent: Option<usize>,
        caller: Option<PlaceId>,
    ) -> FunctionScope {
        let count = code.ast.function(function).locals.len();
        FunctionScope {
            code,
            function,
            host,
            vars: vec![Binding::Unset; count],
            parent,
            source: 0,
            caller,
            returns: Vec::new(),
            loops: Vec::new(),
            temporaries: 0,
        }
    }
}
