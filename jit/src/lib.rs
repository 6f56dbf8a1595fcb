//! Compiled functions: from a syntax tree and the types of arguments to a program that runs.
//!
//! ```text
//! Ast -> infer -> typed program -> passes -> vm | machine code
//! ```
//!
//! Knows no Python: whoever has a language implements [`Host`], which finds sources and says what
//! names refer to. Names no operator.

pub mod ast;
pub mod entry;
pub mod error;
pub mod host;
mod infer;
pub mod ir;
mod liveness;
pub mod memory;
pub mod operator;
mod passes;
mod registry;
pub mod types;
pub mod vm;

pub use self::error::{Error, ErrorKind, Result};
pub use self::host::{
    Answer, Callee, Candidate, Code, Extra, Frozen, Host, Op, OperatorOperand, Role, Step,
    Steps,
};
pub use self::infer::{Declared, compile, offset_of};
