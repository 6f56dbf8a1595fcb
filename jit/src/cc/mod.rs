//! C text compiled by the machine's compiler: found, run, kept by content, loaded.
//!
//! A [`LibrarySource`] is a text and all that its machine code depends on. [`load`] returns its
//! [`LoadedLibrary`], from memory, from the [`directory`] of what was compiled before, or from the
//! [`Compiler`]; [`LoadedLibrary::symbol`] finds what it exports. What lies in the directory is loaded only
//! if nobody but its user can have put it there, and if it is still what was written.
//!
//! What the text computes is unknown here, but for that of compiled functions: a [`Compiled`] is a
//! program printed as C.

mod cache;
#[cfg(feature = "functions")]
mod compiled;
mod compiler;
#[cfg(feature = "functions")]
mod emit;
mod error;
mod library;
#[cfg(feature = "functions")]
mod processor;
mod trust;

pub use self::cache::{clean, directory, take_notes};
#[cfg(feature = "functions")]
pub use self::compiled::{Compiled, CompiledImage};
pub use self::compiler::{Compiler, Linked};
pub use self::error::CompileError;
pub use self::library::{LibrarySource, LoadedLibrary, load};
