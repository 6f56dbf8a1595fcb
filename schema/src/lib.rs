//! The schema language and the operator files: what an author wrote, as one
//! checked [`OpSet`].
//!
//! Knows no Rust tokens, no tensors and no Python.

pub mod annotated;
pub mod autogen;
mod check;
pub mod codes;
mod deprecated;
pub mod derivatives;
pub mod derive;
pub mod dispatch_key;
pub mod dtypes;
pub mod entry;
pub mod forward;
pub mod functional;
pub mod group;
mod index;
mod keys;
mod kind;
mod lex;
mod load;
mod lookup;
pub mod model;
pub mod names;
pub mod numpydoc;
pub mod parse;
mod print;
pub mod rewrites;
mod section;
pub mod tags;
pub mod types;
pub mod validate;
pub mod yaml;

pub use annotated::Annotated;
pub use check::{c_names, go_names};
pub use derive::Derives;
pub use load::{Input, Loaded, load, load_into, parse_one};
pub use model::OpSet;
pub use opwright_tables as tables;
