//! The functions of the reference library, called as C calls them, and its header.

mod border;
mod calls;
mod dlpack;
mod header;
mod leaks;
mod scopes;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Handles are counted for the whole process.
static TURN: RwLock<()> = RwLock::new(());

pub(crate) fn beside_others() -> RwLockReadGuard<'static, ()> {
    TURN.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn alone() -> RwLockWriteGuard<'static, ()> {
    TURN.write().unwrap_or_else(PoisonError::into_inner)
}

/// What the build script has printed for tests.
#[allow(
    clippy::undocumented_unsafe_blocks,
    clippy::type_complexity,
    improper_ctypes,
    missing_docs,
    unreachable_pub,
    reason = "printed: what is passed is what the header says"
)]
pub(crate) mod printed {
    include!(concat!(env!("OUT_DIR"), "/c_calls.rs"));
}
