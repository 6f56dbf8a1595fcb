//! The C back end: nodes whose Ops write C become blocks, which are compiled when they are made.
//!
//! Texts come from the host: [`CHost`] knows who writes them, and a [`CSource`] answers one hook
//! after the other. What would leave a block, or could not be told from the text of another
//! variable, is refused before a compiler runs. A block is one function whose scopes nest as its
//! variables do: declared, extracted or set, then what is within, then cleaned up, last entered
//! first, however it ended. [`blocks`] puts them into a graph, as nodes like any other.
//!
//! Compiled blocks are kept in a folder by what they were made of, see [`directory`].

mod block;
mod body;
mod check;
mod declared;
mod error;
mod fragments;
mod hooks;
mod layout;
mod lex;
mod library;
mod members;
mod partition;
mod source;
mod state;
mod walk;
mod writer;

pub use self::block::{Block, block_of, blocks};
pub use self::error::BlockError;
pub use self::hooks::{
    CHost, COp, CSource, CType, ListHook, NodeHook, NodeNames, Setup, Sub, TypeHook,
};
pub use self::layout::BlockSettings;
pub use self::library::{BlockLibrary, CObserver, CTensor, HostTable};
pub use opwright_jit::cc::{CompileError, Compiler, clean, directory, take_notes};
