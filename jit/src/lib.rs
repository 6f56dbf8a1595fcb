//! Compiled functions: from a syntax tree and the types of arguments to a program that runs.
//!
//! ```text
//! Ast -> infer -> typed program -> passes -> vm | machine code
//! ```
//!
//! Knows no Python: whoever has a language implements [`Host`], which finds sources and says what
//! names refer to. Names no operator.

#[cfg(feature = "functions")]
pub mod ast;
#[cfg(feature = "functions")]
pub mod backend;
#[cfg(all(feature = "functions", any(feature = "cc", feature = "cranelift")))]
mod callbacks;
#[cfg(feature = "cc")]
pub mod cc;
#[cfg(feature = "cranelift")]
pub mod cranelift;
#[cfg(feature = "functions")]
pub mod elementwise;
#[cfg(feature = "functions")]
pub mod entry;
#[cfg(feature = "functions")]
pub mod error;
#[cfg(feature = "functions")]
pub mod host;
#[cfg(feature = "functions")]
mod infer;
#[cfg(feature = "functions")]
pub mod ir;
#[cfg(feature = "functions")]
mod layout;
#[cfg(feature = "functions")]
mod liveness;
#[cfg(feature = "functions")]
pub mod memory;
pub mod native;
#[cfg(feature = "functions")]
pub mod operator;
#[cfg(feature = "functions")]
mod passes;
#[cfg(feature = "functions")]
mod random;
#[cfg(feature = "functions")]
mod random_bits;
#[cfg(feature = "functions")]
mod refusal;
#[cfg(feature = "functions")]
mod registry;
#[cfg(all(feature = "functions", any(feature = "cc", feature = "cranelift")))]
mod stack;
#[cfg(feature = "functions")]
pub mod tier;
#[cfg(feature = "functions")]
pub mod types;
#[cfg(feature = "functions")]
pub mod vm;

#[cfg(feature = "functions")]
pub use self::backend::{Backend, Executable, Refusal, Refused};
#[cfg(feature = "functions")]
pub use self::error::{Error, ErrorKind, Result};
#[cfg(feature = "functions")]
pub use self::host::{
    ArgumentQuery, ArrayPlan, CallTarget, Candidate, Code, Extra, Frozen, Host, Inline,
    LoweringStep, LoweringSteps, MemberRole, Operation, OperatorOperand, Resolution,
};
#[cfg(feature = "functions")]
pub use self::infer::{DeclaredSignature, InferOptions, builtin_names, compile, is_builtin};
#[cfg(feature = "functions")]
pub use self::layout::{member_layout, offset_of};
