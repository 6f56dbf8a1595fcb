//! `cargo xtask site`: a first page, the guide and the reference, as one site.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::develop::{self, ModuleProfile};
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::reference;
use crate::tally::Tally;
use crate::venv::Venv;

/// The release of mdBook that builds the guide and the reference.
const MDBOOK: &str = "0.5.4";

/// Where the executed examples are written.
const NOTEBOOKS: &str = "target/notebooks";

/// The variable that tells tests where a site was built.
const SITE: &str = "OPWRIGHT_SITE";

/// Installs the module, calls its operators, runs the examples, and builds the site; with `--test`
/// also looks at it.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let is_tested = match args {
        [] => false,
        ["--test"] => true,
        [unexpected, ..] => {
            return Err(format!("`site` takes `--test` alone, but got `{unexpected}`").into());
        }
    };
    let venv = develop::run(project, ModuleProfile::Release)?;
    reference::print(project, &venv)?;
    let mut notebooks = venv.python();
    notebooks.arg(project.path("xtask/notebooks/notebooks.py"));
    process::run(notebooks.arg(project.path(NOTEBOOKS)).current_dir(project.root()))?;
    ensure_mdbook(project)?;
    let site = build(project, &venv)?;
    println!("\nthe first page is `{}`", site.join("index.html").display());
    if is_tested {
        process::run(tests(project, &venv).env(SITE, &site))?;
    }
    Ok(())
}

/// Looks at what the site is made of, and, where mdBook is there, builds it of the pages that were
/// printed, and looks at that.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn check(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut tests = tests(project, venv);
    if has_mdbook(project) {
        tests.env(SITE, build(project, venv)?);
    }
    process::watch(&mut tests, |line| *tally += Tally::of_pytest(line))
}

/// Whether mdBook is there, of the release that is wanted.
fn has_mdbook(project: &Project) -> bool {
    let mut mdbook = Command::new(mdbook(project));
    let output = mdbook.arg("--version").stderr(Stdio::null()).output();
    output.is_ok_and(|it| it.stdout.trim_ascii().ends_with(format!("v{MDBOOK}").as_bytes()))
}

fn tests(project: &Project, venv: &Venv) -> Command {
    let mut pytest = venv.pytest(project, "tests/site");
    pytest.args(["-p", "no:cacheprovider"]).env_remove(SITE);
    pytest
}

/// Builds the site of pages that were printed, into the folder that is returned.
fn build(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let site = project.path("target/site");
    let mut builder = venv.python();
    builder.arg(project.path("xtask/site/site_builder.py"));
    builder.arg("--mdbook").arg(mdbook(project));
    builder.arg("--reference").arg(project.path("target/reference/src"));
    let notebooks = project.path(NOTEBOOKS);
    if notebooks.join("notebooks.json").is_file() {
        builder.arg("--examples").arg(notebooks);
    }
    process::run(builder.arg("--out").arg(&site))?;
    Ok(site)
}

fn ensure_mdbook(project: &Project) -> ProcessResult<()> {
    if has_mdbook(project) {
        return Ok(());
    }
    let mut cargo = project.cargo();
    cargo.args(["install", "mdbook", "--version", MDBOOK, "--locked", "--force"]);
    cargo.args(["--no-default-features", "--features", "search"]);
    process::build(cargo.arg("--root").arg(tools(project)))
}

fn mdbook(project: &Project) -> PathBuf {
    tools(project).join("bin/mdbook").with_extension(std::env::consts::EXE_EXTENSION)
}

/// Where programs are installed that the project's commands need.
fn tools(project: &Project) -> PathBuf {
    project.target().join("tools")
}
