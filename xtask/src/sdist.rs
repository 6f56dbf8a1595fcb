//! `cargo xtask sdist`: the source distribution of the Python package.
//!
//! maturin takes in of each crate what cargo would pack, so it is made of the [staged](crate::stage)
//! project: what a crate takes in from above itself would be missing in one made of the project.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::develop::PACKAGE;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::stage;
use crate::venv::Venv;

/// Makes it, and says where it is.
///
/// # Errors
///
/// As [`make`].
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let venv = Venv::ensure(project)?;
    let staged = env::temp_dir().join(format!("opwright-sdist-{}", std::process::id()));
    let made = stage::stage(project, &staged)
        .and_then(|()| make(&venv, &staged, &project.target().join("wheels/sdist")));
    let _ = fs::remove_dir_all(&staged);
    println!("{}", made?.display());
    Ok(())
}

/// Makes it of a project that is staged, in a folder that has nothing else.
///
/// # Errors
///
/// If maturin fails.
pub(crate) fn make(venv: &Venv, staged: &Path, out: &Path) -> ProcessResult<PathBuf> {
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    let mut maturin = venv.module("maturin");
    maturin.args(["sdist", "--out"]).arg(out).current_dir(staged.join(PACKAGE));
    process::run(&mut maturin)?;
    let entry = fs::read_dir(out)?.next().ok_or("maturin made no source distribution")??;
    Ok(entry.path())
}
