//! The resolver: picks the overload of a call, and says why not when none fits.
//!
//! Knows nothing of Python. A call is seen as a number of positional
//! arguments, keyword names, and for each argument the [`Accepts`] set that
//! the caller computed for it once. All tables are `'static` and generated.

pub(crate) mod accepts;
pub(crate) mod bind;
mod explain;
mod fold;
pub(crate) mod kind;
pub(crate) mod mismatch;
pub(crate) mod signature;
mod suggest;
pub(crate) mod wording;

pub use accepts::Accepts;
pub use bind::{ABSENT, Binding, Keywords, MAX_PARAMS, VARIADIC};
pub use explain::{account, explain};
pub use kind::Kind;
pub use mismatch::Mismatch;
pub use signature::{OverloadSet, Parameter, Signature};
pub use suggest::nearest;
pub use wording::Describe;
