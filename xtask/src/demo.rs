//! `cargo xtask demo`: the module at work, then an operator added to a small crate.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::develop::ModuleProfile;
use crate::process::{self, ProcessResult};
use crate::progress;
use crate::project::Project;
use crate::venv::Venv;
use crate::{c_library, develop, downstream};

/// Builds and installs the module, runs the examples, adds operators to a copy of a small crate.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn run(project: &Project) -> ProcessResult<()> {
    let start = Instant::now();
    println!(
        "1 of 6: building opwright, and installing it into .venv; this takes minutes at first\n"
    );
    let venv = develop::run(project, ModuleProfile::Quick)?;
    println!(
        "\n2 of 6: classifying handwritten digits and training a model with opwright, and with \
         numpy beside it (this module was built soon; what `cargo xtask develop --release` builds \
         is up to three times as fast)\n"
    );
    process::run(venv.python().arg(project.path("examples/digits.py")))?;
    println!("\n3 of 6: classifying the same digits with a program in C\n");
    let in_c = digits_in_c(project, &venv)?;
    println!(
        "\n4 of 6: training the same model with a step that is compiled from a graph, and timing a \
         chain of operators that becomes one loop\n"
    );
    let picture = project.target().join("step.svg");
    process::run(venv.python().arg(project.path("examples/graph.py")).arg(picture))?;
    println!(
        "\n5 of 6: compiling a simulation over vectors of a type of its own, and throwing a ball \
         by its gradient\n"
    );
    let picture = project.target().join("throw.svg");
    process::run(venv.python().arg(project.path("examples/throw.py")).arg(picture))?;
    println!(
        "\n6 of 6: adding operators to a small crate, by a YAML entry and annotated functions"
    );
    downstream::run(project, &venv)?;
    println!("\n{SHOWN} ({})", progress::seconds(start.elapsed()));
    if let Some(reason) = in_c {
        println!("skipped: digits in C: {reason}");
    }
    Ok(())
}

/// Builds the library for C and the program, and has Python compare; or says why not.
fn digits_in_c(project: &Project, venv: &Venv) -> ProcessResult<Option<&'static str>> {
    const NO_COMPILER: &str = "there is no C compiler";
    if !c_library::has_compiler() {
        println!("not run: {NO_COMPILER}");
        return Ok(Some(NO_COMPILER));
    }
    let installed = c_library::install(project, c_library::Profile::Quick, "c-quick")?;
    let folder = project.target().join("digits-in-c");
    fs::create_dir_all(&folder)?;
    let (program, lib) = (folder.join("digits"), installed.folder.join("lib"));
    let mut cc = Command::new("cc");
    cc.args(c_library::STRICT).arg("-O2").arg("-I").arg(installed.folder.join("include"));
    cc.arg(project.path("examples/digits.c")).arg("-L").arg(&lib).arg("-lopwright");
    cc.arg(format!("-Wl,-rpath,{}", lib.display())).arg("-o").arg(&program);
    process::run(&mut cc)?;
    let mut compare = venv.python();
    compare.arg(project.path("examples/digits_in_c.py")).arg(program).arg(folder);
    process::run(&mut compare)?;
    Ok(None)
}

/// What the demo has shown, if nothing failed.
const SHOWN: &str = "shown: opwright classifies digits as numpy does and trains a model with \
                     gradients that nobody wrote by hand, call by call and compiled, compiles and \
                     differentiates a simulation that is written in Python, and operators that \
                     were added to a crate by an entry and by annotated functions are functions of \
                     Python";
