//! The linter for Go, where there is one that knows the tool chain.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::c_library::is_there;
use crate::process::{self, ProcessResult};
use crate::tally::Tally;

/// What it is called: by its makers, and by Debian.
const NAMES: [&str; 2] = ["staticcheck", "go-staticcheck"];

/// A package that needs no other.
const SMALL: &str = "./opwright/internal/goroutine";

/// Looks at all packages of a module. `settle` says to a command where Go and the library are.
///
/// # Errors
///
/// What it finds.
pub(crate) fn run(module: &Path, settle: impl Fn(&mut Command)) -> ProcessResult<Tally> {
    // Debian's answers `-version` alone.
    let there = |name: &&&str| is_there(name) || answers(Command::new(name).arg("-version"));
    let Some(name) = NAMES.iter().find(there) else {
        return Ok(Tally::skip("package for Go: staticcheck is not installed"));
    };
    let command = |packages: &str| {
        let mut command = Command::new(name);
        command.arg(packages).current_dir(module);
        settle(&mut command);
        command
    };
    // An old one does not read what a new compiler writes.
    if !answers(&mut command(SMALL)) {
        return Ok(Tally::skip("package for Go: staticcheck is too old for this Go"));
    }
    process::run(&mut command("./..."))?;
    Ok(Tally::PASS)
}

fn answers(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|it| it.success())
}
