//! `cargo test` in a crate that depends on the project.

use std::path::Path;

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::venv::Venv;

/// Runs the tests of the crate in a folder.
///
/// # Errors
///
/// If it cannot be built, or a test fails.
pub(crate) fn run(
    project: &Project,
    venv: &Venv,
    folder: &Path,
    tally: &mut Tally,
) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    cargo.arg("test").current_dir(folder);
    // Nobody debugs them, and symbols are most of what a build writes.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_TARGET_DIR", project.other_target());
    process::watch(&mut cargo, |line| *tally += Tally::of_libtest(line))
}
