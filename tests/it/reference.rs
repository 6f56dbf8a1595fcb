//! The operators of the reference module, for tests that look at all of them.

use std::fs;
use std::path::{Path, PathBuf};

use opwright_codegen::library::{self, Library, LibrarySource};
use opwright_diagnostics::{Sources, render};

/// The operators of the reference module, from the file and from its crate.
pub(crate) fn operators() -> Library {
    let reading = LibrarySource {
        yaml: vec![PathBuf::from("native_functions.yaml")],
        crate_root: PathBuf::from("ops/src/lib.rs"),
        ..LibrarySource::default()
    };
    let mut sources = Sources::new();
    let read = |path: &Path| fs::read_to_string(root().join(path));
    match library::read(&mut sources, &reading, &read) {
        Ok(library) => library,
        Err(findings) => panic!("{}", render(&sources, &findings)),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
