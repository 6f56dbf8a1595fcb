//! The project's own commands: `cargo xtask develop`, `op`, `demo`, `test`, `bench`, `c`, `go`,
//! `api`, `packages`, `release`, `reference`, `site`, `bless`.
//!
//! They need rustup's toolchain and a CPython, and install everything else into `.venv`.

use std::env;
use std::process::ExitCode;

use crate::develop::ModuleProfile;
use crate::process::ProcessResult;
use crate::project::Project;
use crate::test::StepSelection;

mod api;
mod bench;
mod bindings;
mod bless;
mod c;
mod c_bench;
mod c_cmake;
mod c_downstream;
mod c_install;
mod c_library;
mod c_programs;
mod checked;
mod crate_tests;
mod declare;
mod demo;
mod deny;
mod develop;
mod downstream;
mod go;
mod go_get;
mod go_printed;
mod guide;
mod installed;
mod interpreter;
mod lane;
mod last_tag;
mod mistakes;
mod new_crate;
mod op;
mod packages;
mod process;
mod progress;
mod project;
mod reference;
mod release;
mod release_checks;
mod sanitized;
mod sdist;
mod site;
mod soak;
mod source_paths;
mod stage;
mod staticcheck;
mod step_output;
mod summary;
mod tally;
mod targets;
mod test;
mod venv;
mod wheel;
mod workspace;

const HELP: &str = "\
The project's own commands

Usage: cargo xtask <command>

Commands:
  develop [--release]
                 make .venv if it is missing, build the module, install it there; --release builds
                 it as it is handed out, which takes longer
  op NAME        one operator of that module: cases, opcheck, gradcheck, examples, benchmark
  demo           develop, then classify handwritten digits, train a model and add an operator to a small crate
  test [crates | module [--wheel FILE]]
                 every check: formatting, lints, tests of Rust and Python, stubs, docs; or one half
  bench [NAME]   print tables of measurements; without a name, all of them
  bench --record [NAME]
                 the same of calls, kernels and accuracy, and write what the site shows of it
  soak [--minutes N]
                 look for rare mistakes: hostile calls with new seeds, leaks, memory
  c [--install PREFIX] [--quick] | c --test
                 build the library for C, with its header, into target/c, and install it below a
                 prefix; --quick builds it sooner and slower; or run programs against it
  go [--tag]     print the package for Go, check and test it against that library; or tag a commit
                 that has what is printed
  api [--bless]  compare the public API of the crates with its listings; --bless lists what is new
  packages       pack the crates as they are published, and build what was packed
  targets        lint everything for each system whose standard library rustup has installed; nothing is
                 linked
  wheel [--target TRIPLE]
                 build the wheel as it is published, for this machine or another, into target/wheels
  installed WHEEL
                 install a wheel alone and call it, on every CPython on the path and of pyenv
  sdist          make the source distribution, from which pip builds a wheel elsewhere
  release [--publish | --notes]
                 check that this commit can be released, and list the crates in their order; or
                 publish them; or print what the changelog says of the version
  reference      print a page for each operator of the module
  site [--quick] [--test]
                 build the first page, the guide, the reference and the examples into target/site,
                 with mdBook from the path or installed into target; --quick builds the module sooner
                 and slower; --test also looks at the pages in a headless Chromium, if there is one
  bless          rewrite the golden files, expected compiler messages and counts of instructions
  help           print this text

Environment:
  PYTHON         the CPython (3.11 or newer) that .venv is made with
  CARGO_TARGET_DIR, CARGO_BUILD_JOBS and the like are handed on to cargo
";

fn main() -> ExitCode {
    if let Some(rustdoc) = api::replaced_rustdoc() {
        return api::call_rustdoc(&rustdoc);
    }
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> ProcessResult<ExitCode> {
    let wants_help = args.iter().any(|arg| matches!(*arg, "-h" | "--help"));
    let (command, rest) = match args.split_first() {
        Some((command, rest)) if !wants_help => (*command, rest),
        _ => ("help", &[][..]),
    };
    if let ("demo" | "packages" | "targets" | "sdist" | "reference" | "bless", [unexpected, ..]) =
        (command, rest)
    {
        return Err(format!("`{command}` takes no argument, but got `{unexpected}`").into());
    }
    match command {
        "develop" => {
            develop::run(&Project::find(), ModuleProfile::of(rest)?).map(|_venv| ExitCode::SUCCESS)
        }
        "op" => op::run(&Project::find(), rest),
        "demo" => demo::run(&Project::find()).map(|()| ExitCode::SUCCESS),
        "test" => Ok(test::run(&Project::find(), &StepSelection::of(rest)?)),
        "bench" => bench::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "soak" => soak::run(&Project::find(), rest),
        "c" => c::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "go" => go::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "api" => api::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "packages" => packages::record(&Project::find()).map(|()| ExitCode::SUCCESS),
        "targets" => targets::run(&Project::find()).map(|()| ExitCode::SUCCESS),
        "wheel" => wheel::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "installed" => installed::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "sdist" => sdist::run(&Project::find()).map(|()| ExitCode::SUCCESS),
        "release" => release::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "reference" => reference::run(&Project::find()).map(|()| ExitCode::SUCCESS),
        "site" => site::run(&Project::find(), rest).map(|()| ExitCode::SUCCESS),
        "bless" => bless::run(&Project::find()).map(|()| ExitCode::SUCCESS),
        "help" => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        unknown => {
            Err(format!("unknown command `{unknown}`; `cargo xtask help` lists them").into())
        }
    }
}
