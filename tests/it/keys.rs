//! Every backend of the table of dispatch keys can be written in files.

use opwright_runtime::DispatchKey;
use opwright_schema::dispatch_key::{Fills, ROWS};

#[test]
fn every_backend_can_have_kernels() {
    for backend in DispatchKey::ALL.iter().filter(|it| !it.is_layer()) {
        assert!(ROWS.iter().any(|it| it.fills == Fills::Own(*backend)));
    }
}
