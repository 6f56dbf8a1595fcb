//! Finding a Python to make the environment with, and all that there are.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::process::ProcessResult;

const OLDEST: (u32, u32) = (3, 11);

const NAMES: [&str; 6] =
    ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];

const PRINT_VERSION: &str = "import sys; print(sys.implementation.name, *sys.version_info[:2])";

/// The interpreter that `PYTHON` names or, without it, the first on the path that is new enough.
///
/// # Errors
///
/// If there is none.
pub(crate) fn find() -> ProcessResult<String> {
    let (major, minor) = OLDEST;
    if let Some(python) = named() {
        let python = python.to_string_lossy().into_owned();
        if is_usable(&python) {
            return Ok(python);
        }
        return Err(
            format!("`PYTHON` is `{python}`, which is not a CPython >= {major}.{minor}").into()
        );
    }
    let found = NAMES.into_iter().find(|name| is_usable(name));
    found.map(str::to_owned).ok_or_else(|| missing().into())
}

fn named() -> Option<OsString> {
    env::var_os("PYTHON").filter(|it| !it.is_empty())
}

/// What is to be done where there is no interpreter.
pub(crate) fn missing() -> String {
    let (major, minor) = OLDEST;
    format!(
        "no CPython >= {major}.{minor} on the path (tried {}); \
         install one, or name it: PYTHON=/path/to/python3 cargo xtask ...",
        NAMES.join(", ")
    )
}

/// One interpreter of each version that is new enough: of those on the path and pyenv's.
pub(crate) fn all() -> Vec<PathBuf> {
    let candidates =
        named().map(PathBuf::from).into_iter().chain(NAMES.map(PathBuf::from)).chain(of_pyenv());
    let mut found = BTreeMap::new();
    for python in candidates {
        if let Some(version) = version(&python).filter(|it| *it >= OLDEST) {
            found.entry(version).or_insert(python);
        }
    }
    found.into_values().collect()
}

/// The interpreters that pyenv has installed, of which the path may have none but launchers.
fn of_pyenv() -> impl Iterator<Item = PathBuf> {
    let home = || env::home_dir().map(|it| it.join(".pyenv"));
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(home);
    let versions = root.and_then(|it| fs::read_dir(it.join("versions")).ok());
    versions.into_iter().flatten().flatten().map(|it| it.path().join("bin/python"))
}

fn is_usable(python: impl AsRef<OsStr>) -> bool {
    version(python).is_some_and(|it| it >= OLDEST)
}

/// The version of a CPython that runs.
fn version(python: impl AsRef<OsStr>) -> Option<(u32, u32)> {
    let output = Command::new(python).args(["-c", PRINT_VERSION]).stderr(Stdio::null()).output();
    // A name on the path may be a launcher for an interpreter that is not installed.
    parse_version(&String::from_utf8_lossy(&output.ok()?.stdout))
}

fn parse_version(printed: &str) -> Option<(u32, u32)> {
    let mut words = printed.split_whitespace();
    if words.next()? != "cpython" {
        return None;
    }
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

#[test]
fn only_cpython_counts() {
    assert_eq!(parse_version("cpython 3 12\n"), Some((3, 12)));
    assert_eq!(parse_version("pypy 3 12\n"), None);
    assert_eq!(parse_version(""), None);
}

#[test]
fn all_are_of_different_versions() {
    let versions: Vec<_> = all().iter().map(version).collect();
    assert!(versions.iter().all(|it| it.is_some_and(|it| it >= OLDEST)), "{versions:?}");
    assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
}
