//! The folder of recorded cases and upstream's files, which is not part of the project: a test that
//! needs it passes without it, and is counted as skipped by `cargo xtask test`.

use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The text of a file of the folder. If it is not there, nothing, and the test is skipped.
#[track_caller]
pub(crate) fn read(path: &str) -> Option<String> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(path);
    let text = fs::read_to_string(full).ok();
    if text.is_none() {
        skip(&format!("shared/{path} is not there"));
    }
    text
}

/// Says, once in a test, that it looks at nothing and why.
#[track_caller]
pub(crate) fn skip(why: &str) {
    let file = std::panic::Location::caller().file().replace('\\', "/");
    let thread = std::thread::current();
    let line = format!("\nskipped: {file}: {}: {why}\n", thread.name().unwrap_or("a test"));
    // Past what libtest keeps of a test that passes, and on a line of its own.
    std::io::stdout().write_all(line.as_bytes()).expect("a standard output");
}
