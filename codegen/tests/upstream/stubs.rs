//! The stubs of all upstream operators, before a type checker.

use std::path::{Path, PathBuf};
use std::process::Command;

use opwright_codegen::generate::Generate;
use opwright_diagnostics::Sources;
use opwright_schema::Input;

use crate::shared;

/// Strict checking of everything that `gen` prints for Python.
#[test]
fn mypy_accepts_the_stubs_of_all_operators() {
    let Some(python) = python_with_mypy() else { return };
    let Some(text) = shared::read("upstream/native_functions.yaml") else { return };
    let mut sources = Sources::new();
    let id = sources.add("native_functions.yaml", text);
    let printed =
        Generate::reading(Input::yaml(id)).stubs(&sources).expect("upstream's file loads");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stubs");
    printed.write(&folder).expect("a folder that can be written");
    let mut mypy = Command::new(python);
    mypy.args(["-m", "mypy", "--strict", "--config-file=", "opwright"]).current_dir(&folder);
    let output = mypy.output().expect("mypy runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The project's environment, if it was made and has mypy.
fn python_with_mypy() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let python = ["bin/python", "Scripts/python.exe"].map(|it| root.join(".venv").join(it));
    let has_mypy = |python: &PathBuf| {
        let version = Command::new(python).args(["-m", "mypy", "--version"]).output();
        version.is_ok_and(|it| it.status.success())
    };
    let python = python.into_iter().find(has_mypy);
    if python.is_none() {
        shared::skip("there is no mypy in the project's environment");
    }
    python
}
