//! Finding a Python to make the environment with.

use std::env;
use std::ffi::OsStr;
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
    if let Some(python) = env::var_os("PYTHON").filter(|it| !it.is_empty()) {
        let python = python.to_string_lossy().into_owned();
        if is_usable(&python) {
            return Ok(python);
        }
        return Err(
            format!("`PYTHON` is `{python}`, which is not a CPython >= {major}.{minor}").into()
        );
    }
    let found = NAMES.into_iter().find(|name| is_usable(name));
    found.map(str::to_owned).ok_or_else(|| {
        format!(
            "no CPython >= {major}.{minor} on the path (tried {}); \
             install one, or name it: PYTHON=/path/to/python3 cargo xtask ...",
            NAMES.join(", ")
        )
        .into()
    })
}

fn is_usable(python: impl AsRef<OsStr>) -> bool {
    let output = Command::new(python).args(["-c", PRINT_VERSION]).stderr(Stdio::null()).output();
    // A name on the path may be a launcher for an interpreter that is not installed.
    let Ok(output) = output else { return false };
    parse_version(&String::from_utf8_lossy(&output.stdout)).is_some_and(|it| it >= OLDEST)
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
