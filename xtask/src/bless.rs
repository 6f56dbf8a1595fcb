//! `cargo xtask bless`: accepts what the generators print now.

use crate::develop::ModuleProfile;
use crate::mistakes::Expected;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;
use crate::{api, declare, develop, downstream, mistakes};

/// The test whose counts differ between profiles.
const INSTRUCTIONS: &str = "tests/python/test_instructions.py";

/// The tests in Python that write what they would compare.
const WRITING: [&str; 4] = [
    "tests/python/test_wrong_calls.py",
    INSTRUCTIONS,
    "tests/python/test_pictures.py",
    "tests/site/test_sources.py",
];

/// Rewrites golden files, expected compiler messages, the listings of the public API, the page on
/// wrong calls, the counts of instructions, the pictures in the guide and the tables of measurements,
/// by running their tests.
///
/// # Errors
///
/// If a test fails for another reason than a stale file.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    declare::run(project)?;
    let venv = Venv::ensure(project)?;
    downstream::run(project, &venv)?;
    mistakes::run(project, &venv, Expected::Written)?;
    let mut cargo = venv.cargo(project);
    cargo.args(["test", "--no-fail-fast"]);
    for package in ["opwright-tests", "opwright-codegen", "opwright-macros", "opwright-jit-macros"]
    {
        cargo.args(["--package", package]);
    }
    process::run(cargo.env("OPWRIGHT_BLESS", "1").env("TRYBUILD", "overwrite"))?;
    api::run(project, &["--bless"])?;
    write(project, &venv, ModuleProfile::Release, &WRITING)?;
    write(project, &venv, ModuleProfile::Tested, &[INSTRUCTIONS])?;
    println!("blessed; `git diff` shows what changed");
    Ok(())
}

/// Has tests write what they find in a module that is built so.
fn write(
    project: &Project,
    venv: &Venv,
    profile: ModuleProfile,
    tests: &[&str],
) -> ProcessResult<()> {
    develop::install(project, venv, profile)?;
    let mut pytest = venv.module("pytest");
    pytest.arg("--quiet").args(tests).current_dir(project.root());
    process::run(pytest.env("OPWRIGHT_BLESS", "1"))
}
