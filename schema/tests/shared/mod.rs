//! The folder of recorded cases and upstream's files, which is not part of
//! the project: tests that need it pass without it, and say so.

use std::fs;
use std::path::Path;

/// The text of a file of the folder. Nothing, with a message, if it is not there.
pub(crate) fn read(path: &str) -> Option<String> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(path);
    let text = fs::read_to_string(full);
    if text.is_err() {
        println!("skipped: shared/{path} is not there");
    }
    text.ok()
}
