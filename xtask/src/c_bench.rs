//! `cargo xtask bench c`: what calls from C cost, and what the header costs its compiler.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::c::{self, Installed, Profile};
use crate::process::{self, Result};
use crate::project::Project;
use crate::venv::Venv;

/// # Errors
///
/// If the library or a program cannot be built or run.
pub(crate) fn run(project: &Project, _venv: &Venv) -> Result<()> {
    let installed = c::install(project, Profile::Release, "c")?;
    calls(project, &installed)?;
    header(&installed)
}

fn calls(project: &Project, installed: &Installed) -> Result<()> {
    let (program, lib) = (installed.folder.join("bench"), installed.folder.join("lib"));
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I"]);
    cc.arg(installed.folder.join("include")).arg(project.path("xtask/bench/c.c"));
    cc.arg("-L").arg(&lib).arg("-lopwright").arg(format!("-Wl,-rpath,{}", lib.display()));
    process::run(cc.arg("-o").arg(&program))?;
    process::run(&mut Command::new(program))?;
    let mut cargo = project.cargo();
    cargo.args(["run", "--release", "--package", "opwright-c-bindings", "--features", "library"]);
    process::run(cargo.args(["--example", "calls"]))
}

/// How long a file takes that includes the header, and how large that is.
fn header(installed: &Installed) -> Result<()> {
    let include = installed.folder.join("include");
    let source = installed.folder.join("includes.c");
    fs::write(&source, "#include <opwright.h>\nint main(void) { return ow_version() == 0; }\n")?;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut cc = Command::new("cc");
        cc.arg("-I").arg(&include).arg("-c").arg(&source).arg("-o").arg(source.with_extension("o"));
        let start = Instant::now();
        process::output(&mut cc)?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    let text = fs::read_to_string(include.join("opwright.h"))?;
    let functions = c::declared(&text, "ow").len();
    let kib = text.len() as f64 / 1024.0;
    println!("a file with the header {best:.3} s; {kib:.0} KiB, {functions} functions");
    Ok(())
}
