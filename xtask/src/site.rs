//! `cargo xtask site`: a first page, the guide and the reference, as one site.

use std::fs;
use std::path::{Path, PathBuf};
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

/// What `site` was asked for.
#[derive(Debug, PartialEq, Eq)]
struct SiteOptions {
    profile: ModuleProfile,
    is_tested: bool,
}

impl SiteOptions {
    fn of(args: &[&str]) -> ProcessResult<Self> {
        // Examples say how long they take, as what is handed out does.
        let mut options = SiteOptions { profile: ModuleProfile::Release, is_tested: false };
        for arg in args {
            match *arg {
                "--quick" => options.profile = ModuleProfile::Quick,
                "--test" => options.is_tested = true,
                _ => return Err(format!("`site` takes `--quick` and `--test`, not `{arg}`").into()),
            }
        }
        Ok(options)
    }
}

/// Installs the module, calls its operators, runs the examples, and builds the site; with `--test`
/// also looks at it, with `--quick` of a module that is built sooner.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let options = SiteOptions::of(args)?;
    // First, as without it nothing of the rest is of use.
    let mdbook = ensure_mdbook(project)?;
    let venv = develop::run(project, options.profile)?;
    reference::print(project, &venv)?;
    run_examples(project, &venv)?;
    let site = build(project, &venv, &mdbook)?;
    println!("\nthe first page is `{}`", site.join("index.html").display());
    if options.is_tested {
        process::run(tests(project, &venv).env(SITE, &site))?;
    }
    Ok(())
}

fn run_examples(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let folder = project.path(NOTEBOOKS);
    // Those of another branch are no examples of this one.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut notebooks = venv.python();
    notebooks.arg(project.path("xtask/notebooks/notebooks.py")).arg(folder);
    process::run(notebooks.current_dir(project.root()))
}

/// Looks at what the site is made of, and, where mdBook is there or can be installed, builds it of
/// the pages that were printed, and looks at that.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn check(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut tests = tests(project, venv);
    match ensure_mdbook(project) {
        Ok(mdbook) => {
            tests.env(SITE, build(project, venv, &mdbook)?);
        }
        Err(error) => *tally += Tally::skip(&format!("the site as it is built: {error}")),
    }
    process::watch(&mut tests, |line| *tally += Tally::of_pytest(line))
}

fn tests(project: &Project, venv: &Venv) -> Command {
    let mut pytest = venv.pytest(project, "tests/site");
    pytest.args(["-p", "no:cacheprovider"]).env_remove(SITE);
    pytest
}

/// Builds the site of pages that were printed, into the folder that is returned.
fn build(project: &Project, venv: &Venv, mdbook: &Path) -> ProcessResult<PathBuf> {
    let site = project.path("target/site");
    let mut builder = venv.python();
    builder.arg(project.path("xtask/site/site_builder.py"));
    builder.arg("--mdbook").arg(mdbook);
    builder.arg("--reference").arg(project.path("target/reference/src"));
    let notebooks = project.path(NOTEBOOKS);
    if notebooks.join("notebooks.json").is_file() {
        builder.arg("--examples").arg(notebooks);
    }
    process::run(builder.arg("--out").arg(&site))?;
    Ok(site)
}

/// mdBook, which is installed into the project's tools if it is nowhere.
fn ensure_mdbook(project: &Project) -> ProcessResult<PathBuf> {
    if let Some(found) = find_mdbook(project) {
        return Ok(found);
    }
    let mut cargo = project.cargo();
    cargo.args(["install", "mdbook", "--version", MDBOOK, "--locked", "--force"]);
    cargo.args(["--no-default-features", "--features", "search"]);
    // It builds the books in the same time as a release, and is there sooner.
    cargo.arg("--debug").env("CARGO_PROFILE_DEV_DEBUG", "none");
    process::build(cargo.arg("--root").arg(tools(project))).map_err(|error| {
        format!(
            "cannot install mdBook: {error}; put version {MDBOOK} on the path, from \
             https://github.com/rust-lang/mdBook/releases/tag/v{MDBOOK}"
        )
    })?;
    Ok(installed_mdbook(project))
}

/// mdBook of the release that is wanted: that of the path, or that of the project's tools.
fn find_mdbook(project: &Project) -> Option<PathBuf> {
    [PathBuf::from("mdbook"), installed_mdbook(project)].into_iter().find(|it| is_mdbook(it))
}

fn is_mdbook(program: &Path) -> bool {
    let output = Command::new(program).arg("--version").stderr(Stdio::null()).output();
    output.is_ok_and(|it| it.stdout.trim_ascii().ends_with(format!("v{MDBOOK}").as_bytes()))
}

fn installed_mdbook(project: &Project) -> PathBuf {
    tools(project).join("bin/mdbook").with_extension(std::env::consts::EXE_EXTENSION)
}

/// Where programs are installed that the project's commands need.
fn tools(project: &Project) -> PathBuf {
    project.target().join("tools")
}

#[test]
fn options_of_the_site() {
    for (args, profile, is_tested) in [
        (&[][..], ModuleProfile::Release, false),
        (&["--test"], ModuleProfile::Release, true),
        (&["--test", "--quick"], ModuleProfile::Quick, true),
    ] {
        let options = SiteOptions { profile, is_tested };
        assert_eq!(SiteOptions::of(args).ok(), Some(options), "{args:?}");
    }
    assert!(SiteOptions::of(&["--tset"]).is_err());
}
