//! A crate as `opwright new` writes it: built, tested and checked as its README says.

use std::fs;
use std::path::{Path, PathBuf};

use crate::develop;
use crate::downstream;
use crate::process::{self, Result};
use crate::project::Project;
use crate::venv::Venv;

const NAME: &str = "new_ops";

/// Writes the crate, builds its wheel, and runs its tests and the checks of its stubs.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, venv: &Venv) -> Result<()> {
    let folder = project.path("target/demo/new").join(NAME);
    write(project, &folder)?;
    let wheels = project.path("target/demo/new/wheels");
    let wheel = develop::build_wheel(project, venv, &folder, &wheels)?;
    let site = project.path("target/demo/new/site");
    downstream::install(venv, &wheel, &site)?;
    test(venv, &folder, &site)
}

fn write(project: &Project, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let mut cargo = project.cargo();
    cargo.args(["run", "--quiet", "--package", "opwright-cli", "--", "new"]);
    process::run(cargo.arg(folder).arg("--path").arg(project.root()))
}

/// Away from the project, whose settings are not those of the crate.
fn test(venv: &Venv, folder: &Path, site: &PathBuf) -> Result<()> {
    let inside = |module: &str| {
        let mut program = venv.module(module);
        program.current_dir(folder).env("PYTHONPATH", site).env("MYPYPATH", site);
        program
    };
    let mut pytest = inside("pytest");
    process::run(pytest.args(["--quiet", "--color=no", "-p", "no:cacheprovider", "tests"]))?;
    process::run(inside("mypy").args(["--strict", "tests"]))?;
    process::run(inside("mypy.stubtest").arg(NAME))
}
