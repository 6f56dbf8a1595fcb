//! Adding operators to another crate: a scratch copy of `examples/my_ops`, built and called.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::crate_tests;
use crate::develop;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::step_output;
use crate::tally::Tally;
use crate::venv::Venv;

const CRATE: &str = "examples/my_ops";

/// The files of the crate, by their paths in it.
const FILES: [&str; 12] = [
    "Cargo.toml",
    "build.rs",
    "native_functions.yaml",
    "pyproject.toml",
    "src/compiled.rs",
    "src/composed.rs",
    "src/forms.rs",
    "src/gradients.rs",
    "src/interval.rs",
    "src/lib.rs",
    "src/quantizer.rs",
    "src/tests.rs",
];

/// What is appended, and to which file.
const ADDED: [(&str, &str); 3] = [
    ("native_functions.yaml", include_str!("../demo/entry.yaml")),
    ("src/lib.rs", include_str!("../demo/kernel.rs")),
    ("src/lib.rs", include_str!("../demo/annotated.rs")),
];

/// Operators of which variants follow.
const VARIANTS: [(&str, &str); 2] = [
    ("native_functions.yaml", include_str!("../demo/variants.yaml")),
    ("src/lib.rs", include_str!("../demo/variants.rs")),
];

/// An operator whose kernel panics; only [`panics`] calls it.
const PANICKING: &str = include_str!("../demo/panic.rs");

/// Copies the crate, adds an operator by a YAML entry and one by an annotated function,
/// builds it, and calls both from Python.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let scratch = scratch(project);
    copy(project, &scratch)?;
    for (file, text) in ADDED {
        append(&scratch.join(file), text)?;
        step_output::pass_on(&format!("\nadded to {CRATE}/{file}:\n\n{}\n", indent(text)));
    }
    for (file, text) in VARIANTS {
        append(&scratch.join(file), text)?;
    }
    append(&scratch.join("src/lib.rs"), PANICKING)?;
    let wheels = project.path("target/demo/wheels");
    // Its tests in Rust are built so, too; nobody measures how fast it is.
    let mut maturin = develop::maturin(project, venv, &scratch, "dev");
    let wheel = develop::wheel_of(&mut maturin, &wheels)?;
    let site = site(project);
    install(venv, &wheel, &site)?;
    call(project, venv, &site)
}

/// Builds the crate as it is, and returns the folder that Python finds it in.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn built(project: &Project, venv: &Venv) -> ProcessResult<PathBuf> {
    let folder = project.path("target/bench");
    let scratch = folder.join("my_ops");
    copy(project, &scratch)?;
    let wheel = develop::build_wheel(project, venv, &scratch, &folder.join("wheels"))?;
    let site = folder.join("site");
    install(venv, &wheel, &site)?;
    Ok(site)
}

/// Runs the tests that the crate has in Rust, in a copy that calls the dependency by another name.
///
/// # Errors
///
/// If one fails.
pub(crate) fn tests(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let scratch = project.path("target/demo/tested");
    copy(project, &scratch)?;
    rename_dependency(&scratch)?;
    crate_tests::run(project, venv, &scratch, tally)
}

/// Calls an operator that panics, of the crate that [`run`] has built.
///
/// # Errors
///
/// If the panic is more than an exception.
pub(crate) fn panics(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let script = project.path("xtask/demo/panic.py");
    let mut python = venv.python();
    // What panics says so; where from is of no interest here.
    python.env("PYTHONPATH", site(project)).env("RUST_BACKTRACE", "0");
    process::run(python.arg(script))
}

/// Calls operators of each form of kernel, and with arrays of other libraries, of the crate that
/// [`run`] has built.
///
/// # Errors
///
/// If a test fails.
pub(crate) fn calls(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut pytest = venv.pytest(project, "xtask/demo");
    pytest.env("PYTHONPATH", site(project));
    process::watch(&mut pytest, |line| *tally += Tally::of_pytest(line))
}

/// Where the built crate is installed.
fn site(project: &Project) -> PathBuf {
    project.path("target/demo/site")
}

/// The scratch copy.
pub(crate) fn scratch(project: &Project) -> PathBuf {
    project.path("target/demo/my_ops")
}

/// Appends to a file of the scratch copy.
///
/// # Errors
///
/// If it cannot be written.
pub(crate) fn append(file: &Path, text: &str) -> ProcessResult<()> {
    let mut file = fs::OpenOptions::new().append(true).open(file)?;
    write!(file, "\n{text}")?;
    Ok(())
}

/// Calls `opwright` otherwise, as an author may: generated code knows no name of it.
fn rename_dependency(scratch: &Path) -> ProcessResult<()> {
    let manifest = scratch.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let text = text.replace("\nopwright = {", "\nfacade = { package = \"opwright\",");
    fs::write(manifest, text.replace("\"opwright/", "\"facade/"))?;
    for file in FILES.iter().filter(|it| it.starts_with("src/")) {
        let path = scratch.join(file);
        fs::write(&path, fs::read_to_string(&path)?.replace("opwright::", "facade::"))?;
    }
    Ok(())
}

/// Copies the files of the crate, so that the one in the project stays as it is.
///
/// # Errors
///
/// If one cannot be written.
pub(crate) fn copy(project: &Project, scratch: &Path) -> ProcessResult<()> {
    for file in FILES {
        let (from, to) = (project.path(CRATE).join(file), scratch.join(file));
        fs::create_dir_all(to.parent().expect("a file in the scratch folder"))?;
        fs::copy(from, to)?;
    }
    // The same versions as the project's own, so that nothing is downloaded or built twice.
    fs::copy(project.path("Cargo.lock"), scratch.join("Cargo.lock"))?;
    let manifest = scratch.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    let root = format!("path = \"{}/", project.root().display()).replace('\\', "/");
    fs::write(manifest, text.replace("path = \"../../", &root))?;
    Ok(())
}

/// Installs a wheel into an empty folder.
///
/// # Errors
///
/// If pip fails.
pub(crate) fn install(venv: &Venv, wheel: &Path, site: &Path) -> ProcessResult<()> {
    if site.exists() {
        fs::remove_dir_all(site)?;
    }
    let mut pip = venv.pip("install");
    process::run(pip.arg("--no-deps").arg("--target").arg(site).arg(wheel))
}

fn call(project: &Project, venv: &Venv, site: &Path) -> ProcessResult<()> {
    let script = project.path("xtask/demo/call.py");
    step_output::pass_on(&format!("\n{}\n\n", indent(&fs::read_to_string(&script)?)));
    process::run(venv.python().env("PYTHONPATH", site).arg(script))
}

fn indent(text: &str) -> String {
    let line = |it: &str| if it.is_empty() { String::new() } else { format!("    {it}") };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_readme_shows_what_is_added() {
    let readme = include_str!("../../README.md");
    for (file, text) in ADDED {
        assert!(readme.contains(text), "README.md lacks what is added to {file}:\n{text}");
    }
}
