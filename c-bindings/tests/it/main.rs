//! The functions of the reference library, called as C calls them, and its header.
//!
//! | row | test |
//! |---|---|
//! | G1 the file of operators is the source | `codegen/tests/upstream`, `tests/it/golden.rs` |
//! | G2, G3 entries and their keys | `schema/tests/entries.rs`, `schema/tests/ui` |
//! | G4 the dispatcher picks a kernel | `calls::operators_give_the_same_in_c_and_in_rust` |
//! | G5 functions and methods | `TestG5FunctionAndMethod` in `go/opwright/rows_test.go` |
//! | G6 a handle may be NULL | `border::null_is_no_tensor`, `border::a_list_of_null_is_none` |
//! | G7 a function for each operator | `calls::every_operator_with_values_has_a_function` |
//! | G8 results are on the heap until they are freed | `leaks` |
//! | G9 compilers take the header | `header` |
//! | G10 errors are texts, NULL is success | `border::operators_refuse_in_their_own_words`, `leaks::errors` |
//! | G11 results come last | `tests/golden/*.h` |
//! | G12 panics are errors | `call::tests::panics_are_errors` in `src/call.rs` |
//! | G13 and all that follow are of Go | tests of their names in `go/opwright` |

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
