//! `cargo xtask reference`: a page for each operator of the reference module.

use std::fs;
use std::path::PathBuf;

use crate::develop::{self, ModuleProfile};
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;

/// Installs the module, calls its operators, and prints their pages.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let venv = develop::run(project, ModuleProfile::Quick)?;
    let folder = print(project, &venv)?;
    println!("\nthe pages are in `{}`", folder.join("src").display());
    Ok(())
}

/// Prints the pages and looks at each of them: nothing is missing, and the examples run.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn check(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let folder = print(project, venv)?;
    let script = project.path("tests/python/reference_pages.py");
    process::run(venv.python().arg(script).arg(folder))
}

/// Prints the pages for a module that is installed; they are in `src` of the folder that is returned.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn print(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let folder = project.path("target/reference");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let observed = folder.join("observed.json");
    let mut observe = venv.module("opwright.testing.observe");
    fs::write(&observed, process::output(observe.arg("opwright").current_dir(project.root()))?)?;
    let mut cargo = project.cargo();
    cargo.args(["run", "--package", "opwright-cli", "--", "reference", "ops"]);
    process::run(cargo.arg("--observed").arg(observed).arg("--out").arg(folder.join("src")))?;
    Ok(folder)
}
