//! Element expressions: what is computed for each element of arrays, before it is written as a loop.

use std::sync::Arc;

use super::value::Typed;
use crate::ast::{Binary, Compare, Unary};
use crate::ir::Value;
use crate::types::{Obj, Ty};

/// What is computed for each element.
#[derive(Clone)]
pub(super) enum ElementExpr {
    /// An element of an array.
    Leaf(Typed),
    /// A number, the same for all.
    Number(Typed),
    /// A function of others: its operands are converted first, and its result has a dtype.
    Apply(ElementFn, Vec<ElementExpr>, Ty),
}

/// A function of elements.
#[derive(Clone)]
pub(super) enum ElementFn {
    Binary(Binary, Ty),
    Unary(Unary),
    Compare(Compare, Ty),
    /// One that is known by name, over operands of a dtype.
    Named(Arc<str>, Ty),
    /// A function of numbers of the host's, over operands of these types, and whether it may raise.
    Host(Obj, Vec<Ty>, bool),
    Cast,
}

impl ElementExpr {
    /// Whether an element may raise, after others were written.
    pub(super) fn may_raise(&self) -> bool {
        match self {
            ElementExpr::Leaf(_) | ElementExpr::Number(_) => false,
            ElementExpr::Apply(ElementFn::Host(.., true), ..) => true,
            ElementExpr::Apply(_, operands, _) => operands.iter().any(ElementExpr::may_raise),
        }
    }
}

/// A tree with the extents of what it gives.
#[derive(Clone)]
pub(super) struct Lazy {
    pub(super) node: ElementExpr,
    pub(super) dtype: Ty,
    pub(super) shape: Vec<Value>,
}

/// The arrays that an expression reads, in their order.
pub(super) fn collect_leaves(node: &ElementExpr, leaves: &mut Vec<Typed>) {
    match node {
        ElementExpr::Leaf(leaf) => leaves.push(leaf.clone()),
        ElementExpr::Number(_) => {}
        ElementExpr::Apply(_, operands, _) => {
            operands.iter().for_each(|it| collect_leaves(it, leaves))
        }
    }
}
