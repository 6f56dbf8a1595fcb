//! `cargo xtask wheel`: the wheel of the Python package as it is published, for this machine or another.
//!
//! It has the licences of the crates whose code is in it, beside those of the project.
//!
//! A wheel for Linux is linked by zig against an old C library, so that one machine builds those of all
//! processors, with glibc and musl, and no container is needed.

use std::fs;
use std::path::PathBuf;

use crate::develop::{self, PACKAGE};
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::source_paths;
use crate::venv::Venv;

/// The systems for which wheels are published, as rustc names them, and on which versions of a C library
/// they run.
const TARGETS: [(&str, Option<&str>); 7] = [
    ("x86_64-unknown-linux-gnu", Some("manylinux2014")),
    ("aarch64-unknown-linux-gnu", Some("manylinux2014")),
    ("x86_64-unknown-linux-musl", Some("musllinux_1_2")),
    ("aarch64-unknown-linux-musl", Some("musllinux_1_2")),
    ("x86_64-apple-darwin", None),
    ("aarch64-apple-darwin", None),
    ("x86_64-pc-windows-msvc", None),
];

/// The systems for which wheels are published.
pub(crate) fn triples() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().map(|it| it.0)
}

/// Builds it, and says where it is.
///
/// # Errors
///
/// If there is no wheel for what the arguments name, or it cannot be built.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let target = target(args)?;
    let venv = Venv::ensure(project)?;
    let mut maturin = venv.module("maturin");
    maturin.current_dir(project.path(PACKAGE));
    maturin.args(["build", "--release", "--locked", "--compression-level", "9"]);
    maturin.arg("--target-dir").arg(project.target());
    let mut folder = PathBuf::from("native");
    if let Some((triple, library)) = target {
        folder = PathBuf::from(triple);
        maturin.args(["--target", triple]);
        if let Some(library) = library {
            venv.zig(project, &mut maturin)?;
            maturin.args(["--zig", "--compatibility", library]);
        }
    }
    venv.select(source_paths::remap(project, &mut maturin));
    // `pyproject.toml` takes in what is called like a licence.
    let notices = project.path(PACKAGE).join("LICENSE-THIRD-PARTY");
    fs::write(&notices, licences(project, &venv, target.map(|it| it.0))?)?;
    let wheel = develop::wheel_of(&mut maturin, &project.target().join("wheels").join(folder));
    fs::remove_file(notices)?;
    let wheel = wheel?;
    println!("{}", wheel.display());
    Ok(())
}

/// The licences of the crates that the module is linked from.
fn licences(project: &Project, venv: &Venv, triple: Option<&str>) -> ProcessResult<String> {
    let mut print = venv.python();
    print.arg(project.path("xtask/packages/notices.py")).arg("opwright-module").args(triple);
    process::output(print.current_dir(project.root()))
}

/// The row of the system that the arguments name, if they name one.
fn target(args: &[&str]) -> ProcessResult<Option<(&'static str, Option<&'static str>)>> {
    let triple = match args {
        [] => return Ok(None),
        ["--target", triple] => *triple,
        _ => return Err("`wheel` takes `--target TRIPLE`, or nothing".into()),
    };
    if let Some(row) = TARGETS.iter().find(|it| it.0 == triple) {
        return Ok(Some(*row));
    }
    let known: Vec<&str> = triples().collect();
    Err(format!("there are no wheels for `{triple}`, but for `{}`", known.join("`, `")).into())
}

#[test]
fn targets_are_named_as_rustc_names_them() {
    assert_eq!(target(&[]).expect("this machine"), None);
    for row in TARGETS {
        assert_eq!(target(&["--target", row.0]).expect("a target"), Some(row));
    }
    let error = target(&["--target", "wasm32-wasip1"]).expect_err("no wheel").to_string();
    assert!(error.starts_with("there are no wheels for `wasm32-wasip1`"), "{error}");
    assert!(target(&["--zig"]).is_err());
}
