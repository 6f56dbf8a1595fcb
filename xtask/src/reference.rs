//! `cargo xtask reference`: a page for each operator of the reference module.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::develop::{self, ModuleProfile};
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;

/// What makes the pages a book of their own.
const BOOK: &str = "\
[book]
title = \"The operators of opwright\"
language = \"en\"
src = \"src\"
";

/// Installs the module, calls its operators, and prints their pages; where mdBook is installed,
/// also the guide, and the pages as a book beside it.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let venv = develop::run(project, ModuleProfile::Release)?;
    let folder = print(project, &venv)?;
    println!("\nthe pages are in `{}`", folder.join("src").display());
    if is_installed("mdbook") {
        let book = project.path("target/book");
        build(&project.path("docs"), &book)?;
        build(&folder, &book.join("operators"))?;
        println!("the guide is in `{0}`, the pages in `{0}/operators`", book.display());
    }
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

/// Prints the pages for a module that is installed, to the folder that is returned.
fn print(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let folder = project.path("target/reference");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("book.toml"), BOOK)?;
    let observed = folder.join("observed.json");
    let mut observe = venv.module("opwright.testing.observe");
    fs::write(&observed, process::output(observe.arg("opwright").current_dir(project.root()))?)?;
    let mut cargo = project.cargo();
    cargo.args(["run", "--package", "opwright-cli", "--", "reference", "ops"]);
    process::run(cargo.arg("--observed").arg(observed).arg("--out").arg(folder.join("src")))?;
    Ok(folder)
}

fn build(book: &Path, out: &std::path::Path) -> ProcessResult<()> {
    process::run(Command::new("mdbook").arg("build").arg(book).arg("--dest-dir").arg(out))
}

fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}
