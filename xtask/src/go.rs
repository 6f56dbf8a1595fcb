//! `cargo xtask go`: the package for Go over the library for C.
//!
//! The files that follow from the operators are kept by no commit: the build script of the library prints
//! them, and they are put beside those that people wrote. `cargo xtask go --tag` makes a commit that has
//! them, and tags it: `go get` builds nothing but Go.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::c_library::{self, Installed, Profile, is_there};
use crate::go_printed;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::staticcheck;
use crate::tally::Tally;
use crate::venv::Venv;
use crate::workspace;

/// The oldest minor version of Go 1 that the package is written for.
const OLDEST: u32 = 24;

/// A library that nobody builds: with its name lines get longer, as `gofmt` sees them.
const OTHER: &str = "library_of_another_crate";

/// A toolchain: its programs.
pub(crate) struct Toolchain {
    go: PathBuf,
    gofmt: PathBuf,
}

/// Builds the library for C, then checks and tests the package; with `--tag`, tags it.
///
/// # Errors
///
/// If a tool is missing, or a check fails.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let is_tagged = match args {
        [] => false,
        ["--tag"] => true,
        [unexpected, ..] => {
            return Err(format!("`go` takes `--tag` alone, but got `{unexpected}`").into());
        }
    };
    if let Some(missing) = missing() {
        return Err(format!("the package for Go needs {missing}").into());
    }
    let toolchain = Toolchain::find(project)?;
    let mut tally = Tally::default();
    let installed = c_library::install(project, Profile::Release, "c")?;
    check(project, &toolchain, &installed, &mut tally)?;
    tally.skipped.iter().for_each(|it| println!("skipped: {it}"));
    println!("{} passed", tally.passed);
    if is_tagged { tag(project) } else { Ok(()) }
}

/// Tags a commit beside the branch: the one that is checked out, and the printed files.
fn tag(project: &Project) -> ProcessResult<()> {
    let index = project.target().join("go-tag-index");
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(args).current_dir(project.root()).env("GIT_INDEX_FILE", &index);
        git
    };
    let mut status = Command::new("git");
    status.args(["status", "--porcelain"]).current_dir(project.root());
    let changed = process::output(&mut status)?;
    if !changed.is_empty() {
        return Err("what is tagged is what was committed; commit these changes first".into());
    }
    process::run(&mut git(&["read-tree", "HEAD"]))?;
    let module = project.path("go");
    let mut add = git(&["add", "--force", "--"]);
    add.args(go_printed::files(&module)?.iter().map(|it| module.join(it)));
    process::run(&mut add)?;
    let tree = process::output(&mut git(&["write-tree"]))?;
    let message = "Print the package for Go";
    let commit = ["commit-tree", tree.trim(), "-p", "HEAD", "-m", message];
    let commit = process::output(&mut git(&commit))?;
    let name = tag_name(&workspace::said(project.root(), "version")?);
    process::run(&mut git(&["tag", "--annotate", "-m", message, &name, commit.trim()]))?;
    println!("tagged {name}; `git push origin {name}` publishes it");
    Ok(fs::remove_file(index)?)
}

/// A module in a folder is tagged with that in front.
pub(crate) fn tag_name(version: &str) -> String {
    format!("go/v{version}")
}

/// Checks and tests the package against a library that checks its handles, which is returned.
///
/// # Errors
///
/// What fails first.
pub(crate) fn test(
    project: &Project,
    toolchain: &Toolchain,
    tally: &mut Tally,
) -> ProcessResult<Installed> {
    let installed = c_library::install(project, Profile::Dev, "c-checked")?;
    check(project, toolchain, &installed, tally)?;
    other(project, toolchain)?;
    *tally += Tally::PASS;
    Ok(installed)
}

/// A program with the benchmarks of the package.
///
/// # Errors
///
/// If it cannot be built.
pub(crate) fn benchmarks(
    project: &Project,
    toolchain: &Toolchain,
    installed: &Installed,
) -> ProcessResult<PathBuf> {
    let program = installed.folder.join("bench-go").with_extension(std::env::consts::EXE_EXTENSION);
    let mut go = Command::new(&toolchain.go);
    go.args(["test", "-c", "-o"]).arg(&program).arg("./opwright");
    go.current_dir(project.path("go"));
    settle(&mut go, project);
    find(&mut go, installed);
    process::run(&mut go)?;
    Ok(program)
}

/// The package of another library with the same operators lacks nothing. Nobody builds that library:
/// its header is enough to look at the package.
fn other(project: &Project, toolchain: &Toolchain) -> ProcessResult<()> {
    let out = project.target().join("go-other");
    let mut cargo = project.cargo();
    cargo.args(["run", "--package", "opwright-cli", "--", "gen"]);
    cargo.arg(operators(project)?).arg("--out").arg(&out);
    process::run(cargo.args(["--go", "--prefix", OTHER]))?;
    let mut go = Command::new(&toolchain.go);
    go.args(["vet", "-tags", &format!("{OTHER}_local"), &format!("./{OTHER}")]);
    go.current_dir(out.join("go"));
    settle(&mut go, project);
    process::run(go.env("CGO_CFLAGS", format!("-I{}", out.display())))?;
    is_formatted(toolchain, &out.join("go"))
}

/// What cgo needs and is not there.
pub(crate) fn missing() -> Option<&'static str> {
    if !c_library::has_compiler() {
        return Some("a C compiler");
    }
    (!is_there("pkg-config")).then_some("pkg-config")
}

impl Toolchain {
    /// The one on the path if it is new enough, else one that is installed into `.venv`.
    ///
    /// # Errors
    ///
    /// If there is none and it cannot be installed.
    pub(crate) fn find(project: &Project) -> ProcessResult<Self> {
        if let Some(found) = Self::on_path() {
            return Ok(found);
        }
        let venv = Venv::ensure(project)?;
        let folder = venv.go(project)?.join("go").join("bin");
        Ok(Self::in_folder(&folder))
    }

    /// A command of Go that uses nothing else than what is here.
    pub(crate) fn command(&self, project: &Project, args: &[&str]) -> Command {
        let mut go = Command::new(&self.go);
        settle(go.args(args), project);
        go
    }

    /// Has another program use this one.
    fn settle(&self, command: &mut Command, project: &Project) {
        settle(command, project);
        let own = self.go.parent().map(Path::to_owned);
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = own.into_iter().chain(env::split_paths(&path));
        if let Ok(path) = env::join_paths(folders) {
            command.env("PATH", path);
        }
    }

    fn in_folder(folder: &Path) -> Self {
        let program =
            |name: &str| folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        Self { go: program("go"), gofmt: program("gofmt") }
    }

    fn on_path() -> Option<Self> {
        let asked = |args: &[&str]| {
            let mut go = Command::new("go");
            let output = go.args(args).env("GOTOOLCHAIN", "local").stderr(Stdio::null()).output();
            let output = output.ok().filter(|it| it.status.success())?;
            String::from_utf8(output.stdout).ok()
        };
        let version = asked(&["version"])?;
        let root = asked(&["env", "GOROOT"])?;
        let is_new = minor(&version).is_some_and(|it| it >= OLDEST);
        is_new.then(|| Self::in_folder(&Path::new(root.trim()).join("bin")))
    }
}

/// `go version go1.27.3 linux/amd64` as 27.
fn minor(version: &str) -> Option<u32> {
    let number = version.split_whitespace().find_map(|it| it.strip_prefix("go1."))?;
    number.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
}

/// Runs `make test-go` in a crate, and looks whether its files are as `gofmt` leaves them.
///
/// # Errors
///
/// If a check fails.
pub(crate) fn make(
    make: &mut Command,
    project: &Project,
    toolchain: &Toolchain,
    folder: &Path,
) -> ProcessResult<()> {
    settle(make, project);
    process::run(make.arg("test-go").env("GO", &toolchain.go).current_dir(folder))?;
    is_formatted(toolchain, &folder.join("go"))
}

/// Tests the package of a crate, whose header and shared library are in its folder.
///
/// # Errors
///
/// If a check fails.
pub(crate) fn downstream(
    project: &Project,
    toolchain: &Toolchain,
    folder: &Path,
    name: &str,
) -> ProcessResult<()> {
    is_formatted(toolchain, &folder.join("go"))?;
    let module = folder.join("go");
    let tag = format!("{name}_local");
    for check in [&["vet"][..], &["test", "-count=1"], &["test", "-race", "-count=1"]] {
        let mut go = toolchain.command(project, check);
        go.args(["-tags", &tag, "./..."]).current_dir(&module);
        let shown = folder.display();
        go.env("CGO_CFLAGS", format!("-I{shown}/include"));
        go.env("CGO_LDFLAGS", format!("-L{shown} -l{name} -Wl,-rpath,{shown}"));
        process::run(&mut go)?;
    }
    let mut go = toolchain.command(project, &["test", "-count=1", "./..."]);
    go.current_dir(&module).env(format!("{}_LIBRARY", name.to_uppercase()), folder);
    process::run(&mut go)
}

/// Fails if `gofmt` would change a file.
fn is_formatted(toolchain: &Toolchain, folder: &Path) -> ProcessResult<()> {
    let mut gofmt = Command::new(&toolchain.gofmt);
    let unformatted = process::output(gofmt.arg("-l").arg(folder))?;
    match unformatted.is_empty() {
        true => Ok(()),
        false => Err(format!("`gofmt` would change these files:\n{unformatted}").into()),
    }
}

fn check(
    project: &Project,
    toolchain: &Toolchain,
    installed: &Installed,
    tally: &mut Tally,
) -> ProcessResult<()> {
    let go = |args: &[&str]| {
        let mut go = toolchain.command(project, args);
        go.arg("./...").current_dir(project.path("go"));
        find(&mut go, installed);
        go
    };
    is_formatted(toolchain, &project.path("go"))?;
    *tally += Tally::PASS;
    process::run(&mut go(&["vet"]))?;
    *tally += Tally::PASS;
    *tally += staticcheck::run(&project.path("go"), |command| {
        toolchain.settle(command, project);
        find(command, installed);
    })?;
    // Go does not see whether the library has changed since the last run.
    process::watch(&mut go(&["test", "-count=1", "-v"]), |line| *tally += Tally::of_go(line))?;
    process::watch(&mut go(&["test", "-race", "-count=1", "-v"]), |line| {
        *tally += Tally::of_go(line)
    })
}

/// What the build of the reference library has left of its operators.
fn operators(project: &Project) -> ProcessResult<PathBuf> {
    let builds = fs::read_dir(project.target().join("debug/build"))?.flatten();
    let of_ops = builds.filter(|it| it.file_name().to_string_lossy().starts_with("opwright-ops-"));
    let files = of_ops.filter_map(|it| {
        let file = it.path().join("out/operators.json");
        Some((fs::metadata(&file).ok()?.modified().ok()?, file))
    });
    let newest = files.max().map(|(_, file)| file);
    newest.ok_or_else(|| "no build has described the operators of `opwright-ops`".into())
}

/// Makes a command of Go, or a program, find the library.
pub(crate) fn find(command: &mut Command, installed: &Installed) {
    let lib = installed.folder.join("lib");
    let libraries = if cfg!(target_os = "macos") { "DYLD_LIBRARY_PATH" } else { "LD_LIBRARY_PATH" };
    command.env("PKG_CONFIG_PATH", lib.join("pkgconfig")).env(libraries, &lib);
}

/// Makes a command of Go use nothing else than what is here.
fn settle(command: &mut Command, project: &Project) {
    command.env("GOTOOLCHAIN", "local").env("GOFLAGS", "-mod=mod").env("CGO_ENABLED", "1");
    command.env("GOCACHE", project.target().join("go-cache"));
    command.env("GOPATH", project.target().join("go-path"));
}

#[test]
fn versions_of_go_are_read() {
    assert_eq!(minor("go version go1.27.3 linux/amd64"), Some(27));
    assert_eq!(minor("go version go1.24rc1 linux/amd64"), Some(24));
    assert_eq!(minor("go version devel linux/amd64"), None);
}
