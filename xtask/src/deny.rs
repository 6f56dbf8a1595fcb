//! `cargo deny`: licences and sources of the crates that the project is built from.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::{self, ProcessResult};
use crate::project::Project;

/// What is installed where there is none.
const VERSION: &str = "0.20.2";

/// Compares the crates with `deny.toml`.
///
/// # Errors
///
/// If one must not be there, or cargo-deny cannot be installed.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let mut deny = if is_installed(project) {
        let mut cargo = project.cargo();
        cargo.arg("deny");
        cargo
    } else {
        let mut own = Command::new(installed(project)?);
        own.arg("deny").current_dir(project.root());
        own
    };
    // Advisories come over the network and change daily: they are a job of their own.
    process::run(deny.args(["check", "bans", "licenses", "sources"]))
}

/// The program in the project's own folder, built there if need be: in a minute, as nobody waits
/// for what it does.
fn installed(project: &Project) -> ProcessResult<PathBuf> {
    let folder = project.target().join("tools").join(format!("cargo-deny-{VERSION}"));
    let program = folder.join("bin/cargo-deny").with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        let build = folder.join("build");
        let mut cargo = project.cargo();
        cargo.args(["install", "cargo-deny", "--version", VERSION, "--locked"]);
        // Fetching advisories needs the default features.
        cargo.args(["--no-default-features", "--debug"]);
        cargo.arg("--root").arg(&folder).arg("--target-dir").arg(&build);
        process::run(
            cargo.envs([("CARGO_PROFILE_DEV_DEBUG", "none"), ("CARGO_INCREMENTAL", "0")]),
        )?;
        fs::remove_dir_all(build)?;
    }
    Ok(program)
}

fn is_installed(project: &Project) -> bool {
    let mut cargo = project.cargo();
    cargo.args(["deny", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    cargo.status().is_ok_and(|it| it.success())
}
