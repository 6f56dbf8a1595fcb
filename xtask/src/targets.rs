//! `cargo xtask targets`: the workspace, linted for every system whose standard library is installed.
//!
//! Nothing is linked, so that no compiler or linker of the other systems is needed. Code behind a `cfg`
//! of another system is compiled by nothing else that can run here.
//!
//! Of `vecmath` the tests are left out: they compare with C.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::test;
use crate::venv::Venv;
use crate::wheel;

/// Lints it for each system, and says for which of those with wheels it could not.
///
/// # Errors
///
/// If it does not compile without warnings for one; the others are tried, too.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let venv = Venv::ensure(project)?;
    let installed = installed()?;
    let mut failed = Vec::new();
    for triple in &installed {
        let mut cargo = test::lints(project, &venv);
        cargo.args(["--exclude", "opwright-vecmath", "--target", triple]);
        if process::run(cargo.args(["--", "--deny", "warnings"])).is_err() {
            failed.push(triple.as_str());
        }
    }
    let missing: Vec<&str> = wheel::triples().filter(|it| !is_among(it, &installed)).collect();
    if !missing.is_empty() {
        println!("not looked at; `rustup target add` installs them: {}", missing.join(" "));
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("the workspace does not compile for {}", failed.join(", ")).into()),
    }
}

fn is_among(triple: &str, installed: &[String]) -> bool {
    installed.iter().any(|it| it == triple)
}

/// The systems whose standard library the toolchain has, this one among them.
fn installed() -> ProcessResult<Vec<String>> {
    let sysroot = process::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let folder = PathBuf::from(sysroot.trim()).join("lib/rustlib");
    let mut triples = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Beside them lie folders of tools.
        if entry.path().join("lib").is_dir() {
            triples.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    triples.sort();
    Ok(triples)
}

#[test]
fn this_system_is_installed() {
    let installed = installed().expect("rustc runs");
    let version = process::output(Command::new("rustc").arg("-vV")).expect("rustc runs");
    let host = version.lines().find_map(|it| it.strip_prefix("host: ")).expect("a host");
    assert!(is_among(host, &installed), "{installed:?}");
    assert!(installed.iter().all(|it| it.contains('-')), "{installed:?}");
}
