//! `cargo xtask soak`: what looks for rare mistakes, for as long as one likes.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::process::{self, Result};
use crate::project::Project;
use crate::venv::Venv;
use crate::{checked, develop, new_crate, sanitized};

/// How long it takes, roughly, if nobody says.
const MINUTES: u64 = 10;

/// Calls between two looks at the time.
const CALLS_AT_ONCE: u32 = 2000;

/// Builds the module, then repeats calls of every operator, watches them with
/// valgrind, tries them with huge sizes, with little memory and in races, tries
/// every `float32`, runs tests of kernels under AddressSanitizer, builds a crate
/// that takes operators in, tests a form of the module that asserts more, and
/// tries hostile calls until the time is over.
///
/// # Errors
///
/// If something was found.
pub(crate) fn run(project: &Project, args: &[&str]) -> Result<()> {
    let minutes = minutes(args)?;
    let venv = develop::run(project)?;
    println!("\nevery operator, 100,000 right and 100,000 wrong calls");
    let mut balance = pytest(project, &venv, "tests/python/test_balance.py");
    process::run(balance.env("OPWRIGHT_CALLS", "100000"))?;
    println!("\nevery operator, watched by valgrind");
    let mut valgrind = pytest(project, &venv, "tests/python/test_valgrind.py");
    // Shows whether valgrind is there at all.
    process::run(valgrind.arg("-rs").env("OPWRIGHT_EVERY", "1"))?;
    println!("\nevery operator: huge sizes, little memory, races, shared memory, threads");
    process::run(&mut trials(project, &venv))?;
    println!("\nfunctions of every float32");
    let mut floats = pytest(project, &venv, "tests/python/test_every_float.py");
    process::run(floats.env("OPWRIGHT_EVERY", "1"))?;
    println!("\nevery operator, kind of fault by kind; every graph, thousands at random");
    let mut kinds = pytest(project, &venv, "tests/python/test_every_graph.py");
    kinds.args(KINDS.map(|it| format!("tests/python/test_{it}.py")));
    process::run(kinds.env("OPWRIGHT_EVERY", "1"))?;
    println!("\ntests of kernels under AddressSanitizer");
    sanitized::run(project)?;
    println!("\na crate that takes operators in");
    new_crate::take(project, &venv)?;
    with_assertions(project, &venv)?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    println!("\nhostile calls for {minutes} minutes, from seed {seed} on");
    fuzz(project, &venv, seed, minutes)?;
    println!("\ncalls that reach new lines of Python, for {minutes} minutes");
    follow_coverage(project, &venv, minutes)
}

/// Tests that call every operator in a process of its own; a sample of them
/// where nobody says otherwise.
const TRIALS: [&str; 5] = ["huge", "memory_limit", "races", "shared_memory", "threads"];

/// Tests that look for one kind of fault in all there is; in a sample where nobody says otherwise.
const KINDS: [&str; 6] = [
    "every_rewrite",
    "kinds_of_tensors",
    "private_names",
    "promises",
    "random_graphs",
    "rounded_steps",
];

fn trials(project: &Project, venv: &Venv) -> Command {
    let mut pytest = venv.module("pytest");
    pytest.args(["--quiet", "-rs", "--timeout", "7200"]).current_dir(project.root());
    pytest.args(TRIALS.map(|it| format!("tests/python/test_{it}.py")));
    pytest.envs([("OPWRIGHT_EVERY", "1"), ("OPWRIGHT_RACE_SECONDS", "0.1")]);
    pytest
}

fn minutes(args: &[&str]) -> Result<u64> {
    match args {
        [] => Ok(MINUTES),
        ["--minutes", count] => {
            count.parse().map_err(|_| format!("`{count}` is no number of minutes").into())
        }
        _ => Err("`soak` takes `--minutes N` and nothing else".into()),
    }
}

fn with_assertions(project: &Project, venv: &Venv) -> Result<()> {
    println!("\nall tests in Python, over a module with debug assertions and checks of overflow");
    let site = checked::install(project, venv)?;
    let mut pytest = pytest(project, venv, "tests/python");
    // Instruction counts are those of the release; valgrind has had its turn.
    pytest.args(["-k", "not valgrind and not instructions"]);
    process::run(pytest.env("PYTHONPATH", site))
}

fn pytest(project: &Project, venv: &Venv, tests: &str) -> Command {
    let mut pytest = venv.module("pytest");
    pytest.args(["--quiet", "--timeout", "3600", tests]).current_dir(project.root());
    pytest
}

fn fuzz(project: &Project, venv: &Venv, seed: u64, minutes: u64) -> Result<()> {
    let trace = project.target().join("soak-last-call");
    let mut fuzz = venv.python();
    fuzz.arg(project.path("tests/python/fuzz.py"));
    fuzz.args([CALLS_AT_ONCE.to_string(), seed.to_string(), (60 * minutes).to_string()]);
    let result = process::run(fuzz.arg(&trace));
    result.map_err(|error| format!("{error}; the last call is in {}", trace.display()).into())
}

/// A fuzzer that is no part of `.venv`: there are wheels for some Pythons only.
const ATHERIS: &str = "atheris==3.0.0";

fn follow_coverage(project: &Project, venv: &Venv, minutes: u64) -> Result<()> {
    let site = project.target().join("soak-atheris");
    let mut install = venv.pip("install");
    let installed = process::run(install.args(["--upgrade", "--target"]).arg(&site).arg(ATHERIS));
    if let Err(error) = installed {
        println!("not run: {ATHERIS} cannot be installed here: {error}");
        return Ok(());
    }
    let mut fuzz = venv.python();
    fuzz.arg(project.path("tests/python/coverage_fuzz.py")).env("PYTHONPATH", site);
    fuzz.arg(format!("-max_total_time={}", 60 * minutes));
    // What it finds is written there.
    fuzz.arg(format!("-artifact_prefix={}/", project.target().display()));
    process::run(fuzz.args(["-timeout=20", "-rss_limit_mb=4096", "-verbosity=0"]))
}

#[test]
fn the_time_can_be_given() {
    assert_eq!(minutes(&[]).unwrap(), MINUTES);
    assert_eq!(minutes(&["--minutes", "90"]).unwrap(), 90);
    assert!(minutes(&["--minutes", "soon"]).is_err());
    assert!(minutes(&["90"]).is_err());
}
