//! `cargo xtask installed`: a wheel of the reference module, installed where nothing else is, on every
//! CPython at hand.

use std::fs;
use std::path::PathBuf;

use crate::interpreter;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::venv::Venv;

/// Installs the wheel that the arguments name on each, and calls it.
///
/// # Errors
///
/// If there is no such wheel, no CPython, or one on which it does not work.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let wheel = wheel(args)?;
    let interpreters = interpreter::all();
    if interpreters.is_empty() {
        return Err(interpreter::missing().into());
    }
    let folder = project.target().join("installed");
    for python in interpreters {
        let venv = Venv::empty(&python, folder.clone())?;
        process::run(venv.pip("install").arg("--no-index").arg(&wheel))?;
        let mut call = venv.python();
        process::run(call.arg("-P").arg(project.path("xtask/packages/installed.py")))?;
    }
    Ok(fs::remove_dir_all(folder)?)
}

/// The wheel that is named, as pip does not look for one that is called otherwise than it was built.
fn wheel(args: &[&str]) -> ProcessResult<PathBuf> {
    let [path] = args else {
        return Err("`installed` takes a wheel, such as `target/wheels/quick/*.whl`".into());
    };
    fs::canonicalize(path)
        .map_err(|error| format!("cannot read the wheel `{path}`: {error}").into())
}

#[test]
fn a_wheel_has_to_be_there() {
    assert!(wheel(&[]).is_err());
    let error = wheel(&["no.whl"]).expect_err("no file").to_string();
    assert!(error.starts_with("cannot read the wheel `no.whl`: "), "{error}");
}
