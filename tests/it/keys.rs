//! Dispatch keys have a row in the runtime, which has slots for them, and one in the schema crate,
//! which has words for those that kernels can be written for.

use opwright_runtime::DispatchKey;
use opwright_schema::dispatch_key::{Fills, ROWS};

#[test]
fn the_words_of_files_are_those_of_the_runtime() {
    for row in &ROWS {
        let Fills::Own(key) = row.fills else { continue };
        let known = DispatchKey::ALL.iter().find(|it| format!("{it:?}") == key);
        assert_eq!(known.map(|it| it.name()), Some(row.name));
    }
}

#[test]
fn every_backend_can_have_kernels() {
    for backend in DispatchKey::ALL.iter().filter(|it| !it.is_layer()) {
        assert!(
            ROWS.iter().any(|it| it.name == backend.name() && matches!(it.fills, Fills::Own(_)))
        );
    }
}
