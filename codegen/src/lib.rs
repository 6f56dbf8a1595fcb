//! Printers: from an operator set to Rust, Python tables, stubs and documentation.
//!
//! ```text
//! native_functions.yaml + #[native_op] in src/   scan, schema::load
//!   -> kernels matched to overloads              kernels
//!   -> tokens, text                              print
//!   -> files                                     file, build, generate
//! ```
//!
//! Printers are pure and deterministic; only `build` and `generate` touch files.

mod agreement;
pub mod artifact;
pub mod attribute;
pub mod build;
pub mod c_library;
pub mod cfg;
pub mod codes;
pub mod core_dims;
mod doc_comment;
pub mod dtypes;
pub mod file;
pub mod fit;
pub mod fn_path;
pub mod form;
pub mod formula;
pub mod generate;
pub mod helper;
pub mod items;
pub mod kernels;
pub mod library;
pub mod literal;
pub mod loops;
pub mod mark;
pub mod markdown;
pub mod mistake;
pub mod module;
pub mod observed;
pub mod order;
pub mod others;
pub mod overload;
pub mod print;
pub mod promote;
pub mod reading;
mod reserved;
pub mod rules;
mod said;
pub mod scan;
pub mod schema_of;
pub mod signature;
pub mod structure;
pub mod taken;
pub mod ty;
pub mod types;
