//! `cargo xtask develop`: the reference module, built and installed into `.venv`.
//!
//! Without `--release` it is built in a third of the time: optimised where it computes, and not across
//! crates. `cargo xtask test` tests that, with calls that are optimised, too; what is handed out and
//! measured is the release, which the workflow and `soak` test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::declare;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::source_paths;
use crate::venv::Venv;

/// The folder of the reference module's Python package, which says where its crate is.
pub(crate) const PACKAGE: &str = "python-bindings";

/// The feature by which tests and benchmarks turn fast paths off.
const SWITCHES: &str = "switches";

/// Has a program build releases sooner, where nobody measures how fast they are.
pub(crate) fn quickly(program: &mut Command) -> &mut Command {
    program.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
}

/// How the reference module is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleProfile {
    /// Soon.
    Quick,
    /// The same, but with calls that are optimized, too, as tests make many, and with fast paths that
    /// can be turned off.
    Tested,
    /// As it is handed out.
    Release,
}

impl ModuleProfile {
    /// Of the arguments of `develop`.
    ///
    /// # Errors
    ///
    /// If there is another one than `--release`.
    pub(crate) fn of(args: &[&str]) -> ProcessResult<Self> {
        match args {
            [] => Ok(ModuleProfile::Quick),
            ["--release"] => Ok(ModuleProfile::Release),
            [unexpected, ..] => {
                Err(format!("`develop` takes `--release` alone, but got `{unexpected}`").into())
            }
        }
    }

    /// As cargo calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ModuleProfile::Quick | ModuleProfile::Tested => "quick",
            ModuleProfile::Release => "release",
        }
    }
}

/// Makes `.venv` if it is missing, builds the wheel and installs it there.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project, profile: ModuleProfile) -> ProcessResult<Venv> {
    let build = |venv: &Venv| build(project, venv, profile);
    let (venv, wheel) = Venv::ensure_beside(project, build)?;
    venv.install_wheel(project, &wheel)?;
    Ok(venv)
}

/// Builds the wheel of the reference module and installs it into the environment.
///
/// # Errors
///
/// If it cannot be built or installed.
pub(crate) fn install(project: &Project, venv: &Venv, profile: ModuleProfile) -> ProcessResult<()> {
    venv.install_wheel(project, &build(project, venv, profile)?)
}

/// Builds the wheel of the reference module, whose files of operators need no declaration by hand.
fn build(project: &Project, venv: &Venv, profile: ModuleProfile) -> ProcessResult<PathBuf> {
    declare::run(project)?;
    let folder = match profile {
        ModuleProfile::Quick | ModuleProfile::Tested => "target/wheels/quick",
        ModuleProfile::Release => "target/wheels/opwright",
    };
    let mut maturin = maturin(project, venv, &project.path(PACKAGE), profile.name());
    if profile == ModuleProfile::Tested {
        maturin.args(["--features", SWITCHES]);
        for package in ["opwright-python-bindings", "opwright-module"] {
            let level = format!("profile.quick.package.{package}.opt-level=1");
            maturin.args(["--config", &level]);
        }
    }
    wheel_of(&mut maturin, &project.path(folder))
}

/// Builds the release wheel of a crate into an empty folder.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn build_wheel(
    project: &Project,
    venv: &Venv,
    package: &Path,
    folder: &Path,
) -> ProcessResult<PathBuf> {
    wheel_of(&mut maturin(project, venv, package, "release"), folder)
}

/// Builds the wheel of the reference module as it is handed out, but with fast paths that can be
/// turned off.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn build_switched(
    project: &Project,
    venv: &Venv,
    folder: &Path,
) -> ProcessResult<PathBuf> {
    let mut maturin = maturin(project, venv, &project.path(PACKAGE), "release");
    wheel_of(maturin.args(["--features", SWITCHES]), folder)
}

/// Builds the wheel of the reference module with assertions about what it does.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn build_checked(
    project: &Project,
    venv: &Venv,
    folder: &Path,
) -> ProcessResult<PathBuf> {
    wheel_of(&mut maturin(project, venv, &project.path(PACKAGE), "checked"), folder)
}

/// Runs maturin, and returns the wheel that it puts into the empty folder.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn wheel_of(maturin: &mut Command, folder: &Path) -> ProcessResult<PathBuf> {
    // Leftovers of other versions would make it unclear which wheel was built.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    process::build(maturin.arg("--out").arg(folder))?;
    let entry = fs::read_dir(folder)?.next().ok_or("maturin made no wheel")??;
    Ok(entry.path())
}

/// Maturin, told to build the wheel of a crate with a profile.
pub(crate) fn maturin(project: &Project, venv: &Venv, package: &Path, profile: &str) -> Command {
    let is_ours = package == project.path(PACKAGE);
    let target = if is_ours { project.target() } else { project.other_target() };
    let mut maturin = maturin_to(&target, venv, package, profile);
    // Other crates are built by what their authors type, too, which has no such flags; and what nobody
    // hands out may say where it was built.
    if is_ours && profile != ModuleProfile::Quick.name() {
        source_paths::remap(project, &mut maturin);
        maturin.args(["--compression-level", "9"]);
    }
    maturin
}

/// The same, building in this folder.
pub(crate) fn maturin_to(target: &Path, venv: &Venv, package: &Path, profile: &str) -> Command {
    let mut maturin = venv.module("maturin");
    // As `pip install` does: what is built is said by the `pyproject.toml` that is there.
    maturin.current_dir(package);
    // The wheel is for this machine; making it portable would need `patchelf`.
    maturin.args(["build", "--profile", profile, "--auditwheel", "skip"]);
    maturin.arg("--target-dir").arg(target);
    // As for `cargo test` of such a crate: what is built for both is built once.
    maturin.env("CARGO_PROFILE_DEV_DEBUG", "none");
    venv.select(&mut maturin);
    maturin
}
