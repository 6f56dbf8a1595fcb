//! The library for C of a crate that depends on the project, beside the reference library.

use std::collections::BTreeSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c_library::STRICT;
use crate::c_library::{self, Installed};
use crate::downstream;
use crate::go;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::tally::Tally;
use crate::venv::Venv;

/// The Go module of the copy.
const MODULE: &str = "example.org/for_go";

/// What the names of the copy begin with: not with its name, so that both are looked at.
const PREFIX: &str = "mo";

/// Builds a copy of `examples/my_ops` for C with some more structs, and programs with it: one of these
/// has both libraries.
///
/// # Errors
///
/// If a step fails, or the libraries share a symbol.
pub(crate) fn run(
    project: &Project,
    venv: Option<&Venv>,
    installed: &Installed,
    tally: &mut Tally,
) -> ProcessResult<()> {
    let scratch = project.path("target/demo/for_c");
    downstream::copy(project, &scratch)?;
    let root = scratch.join("src/lib.rs");
    let text = fs::read_to_string(&root)?;
    let (own, short) = ("c_library!(my_ops)", format!("c_library!(my_ops, prefix = \"{PREFIX}\")"));
    let structs = fs::read_to_string(project.path("tests/c/structs.rs"))?;
    fs::write(root, text.replace(own, &short) + &structs)?;
    // Its script writes the package for Go, too.
    let script = scratch.join("build.rs");
    let text = fs::read_to_string(&script)?;
    fs::write(script, text.replace("build.c();", "{ build.c(); build.go(); }"))?;
    fs::create_dir_all(scratch.join("go"))?;
    fs::write(scratch.join("go/go.mod"), format!("module {MODULE}\n\ngo 1.24\n"))?;
    let library = build(project, venv, &scratch)?;
    is_apart(&scratch, &library, installed)?;
    other_header(&scratch)?;
    for name in ["two_libraries", "two_headers", "structs"] {
        let program = program(project, name, &scratch, &library, installed)?;
        process::run(&mut Command::new(program))?;
    }
    *tally += match c_library::missing_for_archives() {
        None => {
            archives(project, venv, &scratch, installed)?;
            Tally::PASS
        }
        Some(tool) => Tally::skip(&format!("two static libraries: no {tool}")),
    };
    *tally += match go::missing().map_or_else(|| go::Toolchain::find(project), |it| Err(it.into()))
    {
        Ok(toolchain) => {
            let test = scratch.join("go/my_ops/structs_test.go");
            fs::copy(project.path("tests/go/structs_test.go"), test)?;
            go::downstream(project, &toolchain, &scratch, "my_ops")?;
            Tally::PASS
        }
        Err(error) => {
            Tally::skip(&format!("structs of a crate in Go: there is no Go toolchain: {error}"))
        }
    };
    Ok(())
}

/// Programs with both libraries as archives, in either order, and with that of the crate as cargo has
/// made it.
fn archives(
    project: &Project,
    venv: Option<&Venv>,
    scratch: &Path,
    installed: &Installed,
) -> ProcessResult<()> {
    let mut cargo = cargo(project, venv, scratch, &["rustc", "--lib", "--crate-type", "staticlib"]);
    process::run(&mut cargo)?;
    let made = project.other_target().join("debug/libmy_ops.a");
    let header = fs::read_to_string(scratch.join(format!("include/{PREFIX}.h")))?;
    let own = scratch.join("libmy_ops.a");
    c_library::archive(&made, &own, &c_library::declared(&header, PREFIX))?;
    let reference = installed.folder.join("lib/libopwright.a");
    for archives in
        [[&own, &reference], [&reference, &own], [&made, &reference], [&reference, &made]]
    {
        let program = scratch.join("two_archives");
        let mut cc = compiler(project, "two_libraries", scratch, installed);
        cc.args(["-DOW_STATIC", "-DMO_STATIC", "-Wl,--gc-sections"]).args(archives);
        process::run(cc.args(c_library::SYSTEM_LIBRARIES.split(' ')).arg("-o").arg(&program))?;
        process::run(&mut Command::new(&program))?;
        fs::remove_file(program)?;
    }
    Ok(fs::remove_file(own)?)
}

/// Cargo for the library of the crate.
fn cargo(project: &Project, venv: Option<&Venv>, folder: &Path, args: &[&str]) -> Command {
    let mut cargo = venv.map_or_else(|| project.cargo(), |it| it.cargo(project));
    cargo.args(args).args(["--features", "c"]).current_dir(folder);
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "none").env("CARGO_TARGET_DIR", project.other_target());
    cargo.env("OPWRIGHT_C_INCLUDE", "include").env("OPWRIGHT_GO", "go");
    cargo
}

/// The shared library of the crate, whose header is put into its folder `include`.
fn build(project: &Project, venv: Option<&Venv>, folder: &Path) -> ProcessResult<PathBuf> {
    process::run(&mut cargo(project, venv, folder, &["build"]))?;
    // Python's module has the same name in that folder.
    let name = format!("{DLL_PREFIX}my_ops{DLL_SUFFIX}");
    let library = folder.join(&name);
    fs::copy(project.other_target().join("debug").join(name), &library)?;
    Ok(library)
}

/// The header of a library of another crate that has the same types.
fn other_header(scratch: &Path) -> ProcessResult<()> {
    let include = scratch.join("include");
    let header = fs::read_to_string(include.join(format!("{PREFIX}.h")))?;
    let upper = PREFIX.to_uppercase();
    let header = header.replace(&format!(" {PREFIX}_"), " other_");
    let header = header.replace(&format!("*{PREFIX}_"), "*other_");
    let header = header.replace(&format!("({PREFIX}_"), "(other_");
    let header = header.replace(&format!("{upper}_"), "OTHER_");
    Ok(fs::write(include.join("other.h"), header)?)
}

/// What the crate exports is what its header declares, and nothing of the other library.
fn is_apart(scratch: &Path, library: &Path, installed: &Installed) -> ProcessResult<()> {
    let header = fs::read_to_string(scratch.join(format!("include/{PREFIX}.h")))?;
    let exported = exported(library)?;
    if let Some(other) = exported.symmetric_difference(&c_library::declared(&header, PREFIX)).next()
    {
        return Err(format!("`{other}` is exported or declared, not both").into());
    }
    let reference = self::exported(&installed.folder.join("lib/libopwright.so"))?;
    match exported.intersection(&reference).next() {
        Some(both) => Err(format!("`{both}` is in both libraries").into()),
        None => Ok(()),
    }
}

fn exported(library: &Path) -> ProcessResult<BTreeSet<String>> {
    c_library::symbols(Command::new("nm").args(["-D", "--defined-only"]).arg(library))
}

/// A compiler that finds both headers, for one of the programs.
fn compiler(project: &Project, name: &str, scratch: &Path, installed: &Installed) -> Command {
    let mut cc = Command::new("cc");
    cc.args(STRICT).arg("-g").arg(project.path(format!("tests/c/{name}.c")));
    for root in [scratch, &installed.folder] {
        cc.arg("-I").arg(root.join("include"));
    }
    cc
}

fn program(
    project: &Project,
    name: &str,
    scratch: &Path,
    library: &Path,
    installed: &Installed,
) -> ProcessResult<PathBuf> {
    let program = scratch.join(name);
    let folder = library.parent().unwrap_or(scratch);
    let mut cc = compiler(project, name, scratch, installed);
    for (lib, name) in [(folder, "my_ops"), (&installed.folder.join("lib"), "opwright")] {
        cc.arg("-L").arg(lib).arg(format!("-l{name}"));
        cc.arg(format!("-Wl,-rpath,{}", lib.display()));
    }
    process::run(cc.arg("-o").arg(&program))?;
    Ok(program)
}
