//! `cargo xtask test`: every check of the project, and how many passed.
//!
//! `test crates` and `test module` are its two halves, for machines beside each other; `test module
//! --wheel FILE` takes a wheel that was built before.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::mpsc;
use std::thread;

use crate::develop::ModuleProfile;
use crate::lane::Lane;
use crate::mistakes::Expected;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::venv::Venv;
use crate::{
    api, c_library, c_programs, deny, develop, downstream, go, go_get, guide, last_tag, mistakes,
    new_crate, packages, reference, site,
};

/// The packages whose tests are linked with Python.
const WITH_PYTHON: [&str; 2] = ["opwright-python-bindings", "opwright"];

/// The package that leaves Python's symbols to the interpreter, so that nothing can be linked that is
/// built beside it.
const MODULE: &str = "opwright-module";

/// Tests in Python that need a process of their own, and what is said where their package is absent.
const APART: [&str; 5] = [
    "tests/python/test_interop_jax.py",
    "tests/python/test_interop_jax_absent.py",
    "tests/python/test_interop_jax_devices.py",
    "tests/python/test_interop_jax_models.py",
    "tests/python/test_interop_jax_results.py",
];

/// The folders of the Python code that people write.
const PYTHON_CODE: [&str; 6] =
    ["examples", "python-bindings/python", "tests/guide", "tests/python", "tests/site", "xtask"];

/// What of it is typed; tests also pass what the stubs rightly refuse.
const TYPED_CODE: [&str; 8] = [
    "examples",
    "python-bindings/python",
    "tests/guide",
    "tests/site",
    "xtask/bench",
    "xtask/notebooks",
    "xtask/op",
    "xtask/site",
];

/// Which steps are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepSelection {
    All,
    /// Those around the crates of the workspace.
    Crates,
    /// Those around the module, of this wheel if there is one.
    Module(Option<PathBuf>),
}

impl StepSelection {
    /// Of the arguments of `test`.
    ///
    /// # Errors
    ///
    /// If they are others.
    pub(crate) fn of(args: &[&str]) -> ProcessResult<Self> {
        match args {
            [] => Ok(StepSelection::All),
            ["crates"] => Ok(StepSelection::Crates),
            ["module"] => Ok(StepSelection::Module(None)),
            ["module", "--wheel", wheel] => Ok(StepSelection::Module(Some(wheel.into()))),
            _ => Err("`test` takes `crates`, `module` or `module --wheel FILE`, or nothing".into()),
        }
    }
}

/// Runs the steps, also after one that failed, and prints the sum as the last line.
pub(crate) fn run(project: &Project, steps: &StepSelection) -> ExitCode {
    let mut summary = Summary::default();
    run_steps(project, steps, &mut summary);
    summary.print();
    if summary.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_steps(project: &Project, steps: &StepSelection, summary: &mut Summary) {
    let is_of_crates = !matches!(steps, StepSelection::Module(_));
    if is_of_crates {
        summary.check("formatting of Rust", || {
            process::run(project.cargo().args(["fmt", "--all", "--check"]))
        });
    }
    let mut made = None;
    summary.check("Python environment", || {
        made = Some(Venv::ensure(project)?);
        Ok(())
    });
    // Cargo builds what knows Python against the environment, so without it nothing can be said.
    let Some(venv) = made else { return };
    if is_of_crates {
        summary.check("formatting of Python", || format_python(project, &venv));
        summary.check("lints of Python", || lint_python(project, &venv));
    }
    match steps {
        StepSelection::All => test_all(project, &venv, summary),
        StepSelection::Crates => test_crates(project, &venv, summary),
        StepSelection::Module(wheel) => test_module(project, &venv, wheel.as_ref(), summary),
    }
}

/// Both halves, beside each other; what other crates do with the module is done by the half that ends
/// first.
fn test_all(project: &Project, venv: &Venv, summary: &mut Summary) {
    // Either waits often, for one long rustc or for a test that sleeps.
    let printed = project.target().join("test-python.txt");
    let (installed, is_installed) = mpsc::channel();
    thread::scope(|scope| {
        let python = Lane::start(scope, "steps of Python", &printed, move |summary| {
            let is_there = install_module(project, venv, None, summary);
            // Nobody listens if a step of the other half panicked.
            let _ = installed.send(is_there);
            if is_there {
                test_installed(project, venv, summary);
            }
        });
        test_crates(project, venv, summary);
        // Nothing is sent if there is no lane, or a step of it panicked.
        if is_installed.recv() == Ok(true) {
            test_other_crates(project, venv, summary);
        }
        if let Err(error) = python.and_then(|it| it.end(summary)) {
            summary.check("steps of Python", || Err(error));
        }
    });
}

/// The steps around the crates of the workspace, as they are and as they are packed.
fn test_crates(project: &Project, venv: &Venv, summary: &mut Summary) {
    summary.check("lints of Rust", || lint_rust(project, venv));
    summary.count("tests in Rust", |tally| test_rust(project, venv, tally));
    if c_library::has_compiler() {
        summary.count("library for C", |tally| c_programs::run(project, Some(venv), tally));
    } else {
        summary.skip("library for C", "there is no C compiler");
    }
    test_go(project, summary);
    test_packages(project, venv, summary);
    summary.check("documentation of Rust", || document_rust(project, venv));
    summary.check("public API of Rust", || api::check(project, venv));
    last_tag::check(project, summary);
}

/// The crates as they are published, and those that they are built from, if there is anything new in
/// what they say of each other.
fn test_packages(project: &Project, venv: &Venv, summary: &mut Summary) {
    const PACKAGES: &str = "published crates";
    const SOURCES: &str = "licences and sources of crates";
    match packages::is_recorded(project) {
        Ok(true) => {
            for name in [PACKAGES, SOURCES] {
                summary.skip(name, "no manifest has changed since `cargo xtask packages`");
            }
        }
        Ok(false) => {
            summary.check(PACKAGES, || packages::run(project, venv));
            summary.check(SOURCES, || deny::run(project));
        }
        Err(error) => summary.check(PACKAGES, || Err(error)),
    }
}

/// The steps around the wheel, and those of crates that are not of the workspace.
fn test_module(project: &Project, venv: &Venv, wheel: Option<&PathBuf>, summary: &mut Summary) {
    // An older module in the environment would pass tests that this one does not.
    if install_module(project, venv, wheel, summary) {
        test_installed(project, venv, summary);
        test_other_crates(project, venv, summary);
    }
}

/// Whether the module is in the environment now.
fn install_module(
    project: &Project,
    venv: &Venv,
    wheel: Option<&PathBuf>,
    summary: &mut Summary,
) -> bool {
    let mut is_installed = false;
    summary.check("module", || {
        match wheel {
            Some(wheel) => venv.install_wheel(project, wheel)?,
            // What is handed out is tested so, too, where a wheel is given.
            None => develop::install(project, venv, ModuleProfile::Tested)?,
        }
        is_installed = true;
        Ok(())
    });
    is_installed
}

fn test_installed(project: &Project, venv: &Venv, summary: &mut Summary) {
    summary.count("tests in Python", |tally| test_python(project, venv, tally));
    summary.check("types of Python code", || check_types(project, venv));
    summary.check("stubs against the module", || check_stubs(project, venv));
    summary.check("pages of operators", || reference::check(project, venv));
    summary.count("site", |tally| site::check(project, venv, tally));
}

/// The steps of crates that are not of the workspace.
fn test_other_crates(project: &Project, venv: &Venv, summary: &mut Summary) {
    summary
        .count("tests in Rust of another crate", |tally| downstream::tests(project, venv, tally));
    summary.check("operators of another crate", || downstream::run(project, venv));
    summary.count("calls of operators of another crate", |tally| {
        downstream::calls(project, venv, tally)
    });
    summary.check("panics in another crate", || downstream::panics(project, venv));
    summary.check("mistakes in another crate", || mistakes::run(project, venv, Expected::Compared));
    summary.check("no build script", || mistakes::no_build_script(project, venv));
    summary.check("a type without traits", || mistakes::no_traits(project, venv));
    summary.count("a crate of `opwright new`", |tally| new_crate::run(project, venv, tally));
    summary.count("code of the guide", |tally| guide::run(project, venv, tally));
}

fn format_python(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut ruff = venv.module("ruff");
    process::run(ruff.args(["format", "--check"]).args(PYTHON_CODE).current_dir(project.root()))
}

fn lint_python(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut ruff = venv.module("ruff");
    process::run(ruff.args(["check", "--quiet"]).args(PYTHON_CODE).current_dir(project.root()))
}

fn lint_rust(project: &Project, venv: &Venv) -> ProcessResult<()> {
    process::run(lints(project, venv).args(["--", "--deny", "warnings"]))
}

/// Cargo, told to lint everything; what clippy shall make of it is still to be said.
pub(crate) fn lints(project: &Project, venv: &Venv) -> Command {
    let mut cargo = venv.cargo(project);
    cargo.args(["clippy", "--workspace", "--all-targets"]);
    cargo.args(["--features", "opwright-c-bindings/library"]);
    cargo
}

fn test_rust(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    cargo.args(["test", "--workspace", "--no-fail-fast", "--exclude", MODULE]);
    cargo.args(["--no-default-features", "--features", "opwright-c-bindings/library"]);
    cargo.args(["--features", "opwright-jit/cranelift"]);
    // Without `extension-module`, which leaves Python's symbols to the interpreter, and all packages
    // with the same features, so that each is compiled once.
    match venv.library_folder()? {
        Some(libraries) => {
            cargo.args(["--features", "opwright-python-bindings/cc"]).env(LIBRARY_PATH, libraries);
        }
        None => {
            *tally += Tally::skip("tests linked with Python: this Python has no shared library");
            cargo.args(WITH_PYTHON.iter().flat_map(|it| ["--exclude", it]));
        }
    }
    process::watch(&mut cargo, |line| *tally += Tally::of_libtest(line))
}

/// The variable that says where programs find shared libraries.
const LIBRARY_PATH: &str =
    if cfg!(target_os = "macos") { "DYLD_FALLBACK_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };

fn test_go(project: &Project, summary: &mut Summary) {
    const NAME: &str = "package for Go";
    if let Some(missing) = go::missing() {
        return summary.skip(NAME, &format!("{missing} is not installed"));
    }
    match go::Toolchain::find(project) {
        Ok(toolchain) => summary.count(NAME, |tally| {
            let installed = go::test(project, &toolchain, tally)?;
            go_get::run(project, &toolchain, &installed, tally)
        }),
        Err(error) => summary.skip(NAME, &format!("there is no Go toolchain: {error}")),
    }
}

fn document_rust(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut cargo = venv.cargo(project);
    // Libraries only: the facade and the command have the same name.
    cargo.args(["doc", "--workspace", "--lib", "--no-deps"]);
    process::run(cargo.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn test_python(project: &Project, venv: &Venv, tally: &mut Tally) -> ProcessResult<()> {
    let mut pytest = venv.pytest(project, "tests/python");
    let all = process::watch(&mut pytest, |line| *tally += Tally::of_pytest(line));
    let mut apart = venv.counted_pytest(project);
    apart.args(APART);
    all.and(process::watch(&mut apart, |line| *tally += Tally::of_pytest(line)))
}

fn check_types(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut mypy = venv.module("mypy");
    process::run(mypy.args(TYPED_CODE).current_dir(project.root()))
}

fn check_stubs(project: &Project, venv: &Venv) -> ProcessResult<()> {
    let mut stubtest = venv.python();
    stubtest.arg(project.path("xtask/stubs/compare.py"));
    stubtest.args(["--mypy-config-file", "pyproject.toml"]);
    stubtest.args(["--allowlist", "python-bindings/stubtest.txt", "opwright"]);
    process::run(stubtest.current_dir(project.root()))
}

#[test]
fn halves_can_be_named() {
    assert_eq!(StepSelection::of(&[]).unwrap(), StepSelection::All);
    assert_eq!(StepSelection::of(&["crates"]).unwrap(), StepSelection::Crates);
    assert_eq!(
        StepSelection::of(&["module", "--wheel", "a"]).unwrap(),
        StepSelection::Module(Some("a".into()))
    );
    assert!(StepSelection::of(&["module", "a"]).is_err() && StepSelection::of(&["all"]).is_err());
}
