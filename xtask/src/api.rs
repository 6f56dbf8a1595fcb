//! `cargo xtask api`: the public API of the crates, with signatures, compared with what is listed in
//! `tests/api`.
//!
//! rustdoc writes it as JSON, which is unstable, so the pinned rustdoc has to be told that it may.
//! Cargo must not be: build scripts ask for the same variable, and all crates would be built anew.
//! So cargo calls this program in the place of rustdoc.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;

/// The crates that those of others name: the facade, what it hands on, and what build scripts call.
/// Operators are compared by `opwright diff`.
const CRATES: [&str; 7] = [
    "opwright",
    "opwright-c-bindings",
    "opwright-codegen",
    "opwright-jit",
    "opwright-runtime",
    "opwright-tables",
    "opwright-vecmath",
];

/// Names the rustdoc in whose place this program is called.
const RUSTDOC: &str = "OPWRIGHT_RUSTDOC";

/// The rustdoc in whose place cargo calls this program, if it does.
pub(crate) fn replaced_rustdoc() -> Option<OsString> {
    env::var_os(RUSTDOC)
}

/// Calls rustdoc with the arguments of this program.
pub(crate) fn call_rustdoc(rustdoc: &OsStr) -> ExitCode {
    let status =
        Command::new(rustdoc).args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    if status.is_ok_and(|it| it.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares, or lists what is new.
///
/// # Errors
///
/// If something is gone that the changelog does not name, or new and not listed.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    match args {
        [] | ["--bless"] => compare(project, &Venv::ensure(project)?, args),
        _ => Err(format!("`api` takes `--bless` alone, but got `{}`", args.join(" ")).into()),
    }
}

/// Compares the public API with its listings.
///
/// # Errors
///
/// See [`run`].
pub(crate) fn check(project: &Project, venv: &Venv) -> ProcessResult<()> {
    compare(project, venv, &[])
}

fn compare(project: &Project, venv: &Venv, options: &[&str]) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    cargo.args(["doc", "--lib", "--no-deps"]);
    cargo.args(CRATES.iter().flat_map(|it| ["--package", it]));
    cargo.env(RUSTDOC, "rustdoc").env("RUSTDOC", env::current_exe()?);
    process::run(cargo.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json"))?;
    let mut listing = project.cargo();
    listing.args(["run", "--quiet", "--package", "opwright-public-api", "--"]);
    listing.arg(project.target().join("doc")).arg(project.path("tests/api"));
    process::run(listing.arg(project.path("CHANGELOG.md")).args(options))
}
