//! Typing and lowering in one walk over the tree: every expression gives words of a known type.
//!
//! Control is structured, so blocks are written in order and joins know all that comes in. The
//! words at the head of a loop are typed as they come in; if the body changes a type, the loop is
//! written again with the wider one, at most [`MAX_WIDENINGS`] times. Calls of small functions are
//! written in place.

mod array;
mod array_method;
mod attribute;
mod bind;
mod builtin;
mod call;
mod cast;
mod compare;
mod complex;
mod control;
mod derivative;
mod element_expr;
mod element_loop;
mod elementwise;
mod expr;
mod flow;
mod index;
mod iterate;
mod lowering;
mod making;
mod number;
mod number_function;
mod overloads;
mod ownership;
mod planned;
mod random;
mod readonly;
mod scope;
mod state;
mod steps;
mod stmt;
mod structs;
mod value;

pub use self::builtin::{builtin_names, is_builtin};
pub use self::state::{DeclaredSignature, InferOptions, compile};
