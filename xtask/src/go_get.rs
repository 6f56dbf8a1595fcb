//! The module for Go as others get it: from a tag of a repository, without anything else of the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_library::{Installed, is_there};
use crate::go::{self, Toolchain};
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::workspace;

/// The path of the module, which says where the repository is.
const MODULE: &str = "github.com/opwright/opwright/go";

const PROGRAM: &str = "go/opwright/examples/first/main.go";

/// Gets the module by its tag and runs a program that needs it, with the library where a variable says, where pkg-config says, and
/// without one.
///
/// # Errors
///
/// If the module cannot be got, the program does not find the library, or does not say that there is none.
pub(crate) fn run(
    project: &Project,
    toolchain: &Toolchain,
    installed: &Installed,
    tally: &mut Tally,
) -> ProcessResult<()> {
    if !is_there("git") {
        *tally += Tally::skip("package for Go: its module by `go get`: git is not installed");
        return Ok(());
    }
    let scratch = project.target().join("go-get");
    let _ = fs::remove_dir_all(&scratch);
    let version = workspace::said(project.root(), "version")?;
    let origin = tagged(project, &scratch.join("origin"), &version)?;
    let folder = scratch.join("program");
    fs::create_dir_all(&folder)?;
    fs::copy(project.path(PROGRAM), folder.join("main.go"))?;
    let go = |args: &[&str]| {
        let mut go = toolchain.command(project, args);
        go.current_dir(&folder).env("GOPROXY", "direct").env("GOPRIVATE", MODULE);
        // What was got earlier has the same version, and is removed with the folder.
        go.env("GOMODCACHE", scratch.join("modules")).env("GOFLAGS", "-mod=mod -modcacherw");
        let home = format!("https://{}", MODULE.trim_end_matches("/go"));
        go.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_VALUE_0", home);
        go.env("GIT_CONFIG_KEY_0", format!("url.file://{}.insteadOf", origin.display()));
        go
    };
    process::run(&mut go(&["mod", "init", "example.org/program"]))?;
    process::run(&mut go(&["get", &format!("{MODULE}@v{version}")]))?;
    process::run(&mut go(&["build", "-o", "program", "."]))?;
    let lib = installed.folder.join("lib");
    let program = || {
        let mut program = Command::new(folder.join("program"));
        program.env_remove("LD_LIBRARY_PATH").env_remove("PKG_CONFIG_PATH");
        program
    };
    process::run(program().env("OPWRIGHT_LIBRARY", &lib))?;
    process::run(program().env("PKG_CONFIG_PATH", lib.join("pkgconfig")))?;
    finds_nothing(program().env("OPWRIGHT_LIBRARY", &folder))?;
    let mut linked = go(&["run", "-tags", "opwright_pkgconfig", "."]);
    go::find(&mut linked, installed);
    process::run(&mut linked)?;
    *tally += Tally::PASS;
    Ok(())
}

/// A repository with the module and nothing else, and a tag.
fn tagged(project: &Project, origin: &Path, version: &str) -> ProcessResult<PathBuf> {
    copied(&project.path("go"), &origin.join("go"))?;
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=opwright", "-c", "user.email=opwright@example.org"]);
        git.args(args).current_dir(origin);
        git
    };
    process::run(&mut git(&["init", "--quiet"]))?;
    process::run(&mut git(&["add", "--force", "--all"]))?;
    process::run(&mut git(&["commit", "--quiet", "-m", "Print the package for Go"]))?;
    process::run(&mut git(&["tag", &go::tag_name(version)]))?;
    Ok(origin.to_owned())
}

fn copied(from: &Path, to: &Path) -> ProcessResult<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copied(&entry.path(), &to)?,
            false => drop(fs::copy(entry.path(), to)?),
        }
    }
    Ok(())
}

/// A program that finds no library says where to get one.
fn finds_nothing(program: &mut Command) -> ProcessResult<()> {
    let output = program.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    match !output.status.success() && said.contains("cargo xtask c --install") {
        true => Ok(()),
        false => Err(format!("a program without the library says: {said}").into()),
    }
}
