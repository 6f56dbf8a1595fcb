//! How the compiler asks the host language: for sources, for what names refer to, for overloads.

use std::sync::Arc;

use crate::ast::Ast;
use crate::error::Result;
use crate::types::{Obj, Ty};

/// What the compiler needs of the language whose functions it compiles.
pub trait Host {
    /// The source of a function.
    ///
    /// # Errors
    ///
    /// `Unsupported` if it has none, or is outside of the language.
    fn source(&self, function: Obj) -> Result<Arc<Code>>;

    /// What a free name of a function refers to.
    ///
    /// # Errors
    ///
    /// `Typing` if it is nothing that can be compiled.
    fn global(&self, function: Obj, name: &str) -> Result<Option<Frozen>>;

    /// An attribute of a module or class.
    ///
    /// # Errors
    ///
    /// `Typing` if it is nothing that can be compiled.
    fn attribute(&self, object: Obj, name: &str) -> Result<Option<Frozen>>;

    /// What a call of an object runs.
    ///
    /// # Errors
    ///
    /// Whatever the host raises.
    fn callee(&self, object: Obj) -> Result<Callee>;

    /// The class of what `assert` raises.
    fn assertion_error(&self) -> Obj;

    /// Whether values of a type are instances of a class.
    ///
    /// # Errors
    ///
    /// `Typing` if it is no class.
    fn is_instance(&self, ty: Ty, class: Obj) -> Result<bool>;

    /// What an object is called in messages.
    fn describe(&self, object: Obj) -> String;
}

/// A function of the host: its tree, and the defaults of its parameters.
#[derive(Debug)]
pub struct Code {
    /// The tree; its first function is this one.
    pub ast: Ast,
    /// The defaults by the names of parameters.
    pub defaults: Vec<(Arc<str>, Frozen)>,
    /// The name that tracebacks show.
    pub name: Arc<str>,
}

/// What a name refers to while a function is compiled.
#[derive(Clone, Debug, PartialEq)]
pub enum Frozen {
    /// A number: its type and the bits of its words.
    Number(Ty, [u64; 2]),
    /// `None`.
    None,
    /// Several of these.
    Tuple(Vec<Frozen>),
    /// A value without words, whose type says all: text, a function, a module, a class, a dtype.
    Fact(Ty),
    /// An array that lives as long as what is compiled: its type, the object, its address, extents
    /// and strides in bytes.
    Array(Ty, Obj, u64, Vec<i64>),
}

/// What a call runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// Something that the compiler knows by this name.
    Builtin(Arc<str>),
    /// A function with a source.
    Function,
    /// Nothing that can be compiled: what it is.
    Unknown(String),
}
