//! The bodies of the functions that every library has: what they do stands in the header, where
//! `opwright_codegen::print::c::fixed` declares them.

#![expect(
    missing_docs,
    clippy::missing_safety_doc,
    reason = "the header says what functions do, and that arguments are NULL or from the library"
)]

mod dlpack;
mod elements;
mod files;
mod gradients;
mod objects;
mod optimizers;
mod scopes;
mod settings;
mod tensors;

pub use self::dlpack::*;
pub use self::elements::*;
pub use self::files::*;
pub use self::gradients::*;
pub use self::objects::*;
pub use self::optimizers::*;
pub use self::scopes::*;
pub use self::settings::*;
pub use self::tensors::*;
