//! A crate as `opwright new` writes it: tested, built and checked as its README says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_library::{self, is_there};
use crate::crate_tests;
use crate::develop;
use crate::downstream;
use crate::go;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::venv::Venv;

/// What is tested.
const NAME: &str = "a crate of `opwright new`";

/// A crate with operators of its own alone, which are all that is built.
const PLAIN: &str = "new_ops";

/// A crate that also takes operators in, and which.
const TAKING: &str = "taking_ops";
const TAKEN: &str = "add,sum,max,where,linalg_norm";

/// Writes the crate, runs its tests in Rust, builds its wheel, and runs its tests in Python and the
/// checks of its stubs; where there are the tools, also its program in C, and its tests in Go.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    make(project, venv, PLAIN, &["--c", "--go"])?;
    *tally += Tally::PASS;
    if let Some(tool) = ["cc", "make"].into_iter().find(|it| !is_there(it)) {
        *tally += Tally::skip(&format!("{NAME}, for C and Go: {tool} is not installed"));
        return Ok(());
    }
    let folder = home(project, PLAIN).join(PLAIN);
    let program = || {
        let mut program = Command::new("make");
        venv.select(&mut program);
        develop::quickly(&mut program).env("CARGO_TARGET_DIR", project.other_target());
        program
    };
    process::run(program().arg("test-c").current_dir(&folder))?;
    *tally += Tally::PASS;
    *tally += match c_library::missing_for_archives() {
        None => {
            process::run(program().arg("test-static").current_dir(&folder))?;
            Tally::PASS
        }
        Some(tool) => Tally::skip(&format!("{NAME}, as a static library: no {tool}")),
    };
    *tally += match is_there("pkg-config") {
        true => {
            let prefix = home(project, PLAIN).join("prefix");
            let install = format!("PREFIX={}", prefix.display());
            process::run(program().args(["install", &install]).current_dir(&folder))?;
            by_pkg_config(&folder, &prefix)?;
            Tally::PASS
        }
        false => Tally::skip(&format!("{NAME}, installed: no pkg-config")),
    };
    *tally += match go::Toolchain::find(project) {
        Ok(toolchain) => {
            go::make(&mut program(), project, &toolchain, &folder)?;
            Tally::PASS
        }
        Err(error) => Tally::skip(&format!("{NAME}, for Go: there is no Go toolchain: {error}")),
    };
    Ok(())
}

/// The crate's program in C, with the library that was installed.
fn by_pkg_config(folder: &Path, prefix: &Path) -> ProcessResult<()> {
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.args(["--cflags", "--libs", PLAIN]);
    pkg_config.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let flags = process::output(&mut pkg_config)?;
    let program = prefix.join("program");
    let mut cc = Command::new("cc");
    cc.arg(folder.join("tests/program.c")).args(flags.split_whitespace());
    cc.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())).arg("-lm");
    process::run(cc.arg("-o").arg(&program))?;
    process::run(&mut Command::new(program))
}

/// The same with a crate that takes operators of `opwright-ops` in, and calls these.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn take(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let site = make(project, venv, TAKING, &["--operators", TAKEN])?;
    let script = project.path("xtask/demo/taken.py");
    process::run(venv.python().env("PYTHONPATH", site).arg(script))
}

/// Where the crate is installed, after everything that it says of itself has been checked.
fn make(project: &Project, venv: &Venv, name: &str, options: &[&str]) -> ProcessResult<PathBuf> {
    let home = home(project, name);
    let folder = home.join(name);
    write(project, &folder, options)?;
    crate_tests::run(project, venv, &folder, &mut Tally::default())?;
    // As its tests in Rust were; nobody measures how fast it is.
    let mut maturin = develop::maturin(project, venv, &folder, "dev");
    let wheel = develop::wheel_of(&mut maturin, &home.join("wheels"))?;
    let site = home.join("site");
    downstream::install(venv, &wheel, &site)?;
    test(project, venv, name, &folder, &site)?;
    Ok(site)
}

fn home(project: &Project, name: &str) -> PathBuf {
    project.path("target/demo").join(format!("{name}-home"))
}

fn write(project: &Project, folder: &Path, options: &[&str]) -> ProcessResult<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let mut cargo = project.cargo();
    cargo.args(["run", "--package", "opwright-cli", "--", "new"]);
    process::run(cargo.arg(folder).arg("--path").arg(project.root()).args(options))?;
    if options.contains(&"--operators") { Ok(()) } else { leave_operators_out(folder) }
}

/// Depends on no more of `opwright` than operators of its own need, as the guide says it.
fn leave_operators_out(folder: &Path) -> ProcessResult<()> {
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let (before, dependency) = text.split_once("\nopwright = { ").ok_or("no dependency")?;
    let features =
        "default-features = false, features = [\"extension-module\", \"reserve\", \"shm\"]";
    fs::write(&manifest, format!("{before}\nopwright = {{ {features}, {dependency}"))?;
    Ok(())
}

/// Away from the project, whose settings are not those of the crate.
fn test(
    project: &Project,
    venv: &Venv,
    name: &str,
    folder: &Path,
    site: &Path,
) -> ProcessResult<()> {
    let inside = |mut program: Command| {
        program.current_dir(folder).env("PYTHONPATH", site).env("MYPYPATH", site);
        program
    };
    let mut pytest = inside(venv.module("pytest"));
    process::run(pytest.args(["--quiet", "--color=no", "-p", "no:cacheprovider", "tests"]))?;
    process::run(inside(venv.module("mypy")).args(["--strict", "tests"]))?;
    let mut stubtest = inside(venv.python());
    stubtest.arg(project.path("xtask/stubs/compare.py"));
    stubtest.arg("--allowlist").arg(project.path("xtask/stubs/types.txt"));
    process::run(stubtest.arg("--ignore-unused-allowlist").arg(name))
}
