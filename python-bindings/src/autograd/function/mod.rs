//! Custom functions (`autograd.Function`), which bring their own gradient, written in Python.
//!
//! The object that such a function knows as `ctx` is the object of its node, too. It shares what was
//! [`recorded`] of the call with the runtime's [node](node::FunctionNode), which alone keeps the
//! object alive: an object that outlives its node knows the edges still, and can make another node.

mod apply;
pub(super) mod base;
pub(super) mod node;
mod recorded;
mod slot;
