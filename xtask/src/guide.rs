//! The code of the guide and of README.md: compiled, run, and compared with what is shown.

use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::venv::Venv;

/// Runs every block of code, over the module that is installed and a crate of its own.
///
/// # Errors
///
/// If a block does not do what its page says.
pub(crate) fn run(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    process::run(cargo.args(["build", "--package", "opwright-cli"]))?;
    let mut pytest = venv.pytest(project, "tests/guide");
    pytest.args(["--tb=short", "-p", "no:cacheprovider"]);
    // For a crate that is built by pip, as a reader would, of what the one of `opwright new` was.
    venv.select(&mut pytest);
    pytest.env("MATURIN_PEP517_ARGS", "--profile dev").env("CARGO_PROFILE_DEV_DEBUG", "none");
    pytest.env("CARGO_TARGET_DIR", project.target());
    process::watch(&mut pytest, |line| *tally += Tally::of_pytest(line))
}
