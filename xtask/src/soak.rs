//! `cargo xtask soak`: what looks for rare mistakes, for as long as one likes.

use std::process::{Command, ExitCode};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::develop::ModuleProfile;
use crate::lane::Lane;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::step_output;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::venv::Venv;
use crate::{checked, develop, new_crate, packages, sanitized};

/// How long it takes, roughly, if nobody says.
const MINUTES: u64 = 10;

/// Calls between two looks at the time.
const CALLS_AT_ONCE: u32 = 2000;

/// Builds the module, then repeats calls of every operator, watches them with
/// valgrind, tries them with huge sizes, with little memory and in races, tries
/// every `float32`, runs tests of kernels under AddressSanitizer, builds a crate
/// that takes operators in and the crates as they are published, tests a form of the module that asserts more, and
/// tries hostile calls until the time is over.
///
/// A step that finds something does not end the others; a table at the end says what each came to
/// and how long it took.
///
/// # Errors
///
/// If there is no module, or the arguments are wrong.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<ExitCode> {
    let minutes = minutes(args)?;
    let venv = develop::run(project, ModuleProfile::Release)?;
    let mut summary = Summary::default();
    // What builds is beside what does not.
    let printed = project.target().join("soak-trials.txt");
    thread::scope(|scope| {
        let trials = Lane::start(scope, "calls of every operator", &printed, |summary| {
            try_calls(project, &venv, summary);
        });
        look_for_kinds(project, &venv, &mut summary);
        build(project, &venv, &mut summary);
        fuzz(project, &venv, minutes, &mut summary);
        if let Err(error) = trials.and_then(|it| it.end(&mut summary)) {
            summary.check("calls of every operator", || Err(error));
        }
    });
    summary.print();
    Ok(if summary.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What calls the operators of the module as it is installed.
fn try_calls(project: &Project, venv: &Venv, summary: &mut Summary) {
    // What `test` tests is another module, unless it is given a wheel.
    summary
        .count("module as it is handed out", |tally| count(&mut pytest(project, venv, &[]), tally));
    summary.count("100,000 right and wrong calls each", |tally| {
        let balance = &mut pytest(project, venv, &["balance"]);
        count(balance.env("OPWRIGHT_CALLS", "100000"), tally)
    });
    summary.count("1,000,000 calls of compiled functions, 5,000 dropped", |tally| {
        let leaks = &mut pytest(project, venv, &["jit/compiled_leaks"]);
        count(leaks.env("OPWRIGHT_CALLS", "100000"), tally)
    });
    summary.count("every operator under valgrind", |tally| {
        let valgrind = &mut pytest(project, venv, &["valgrind"]);
        count(valgrind.env("OPWRIGHT_EVERY", "1"), tally)
    });
    summary.count("every float32", |tally| {
        count(pytest(project, venv, &["every_float"]).env("OPWRIGHT_EVERY", "1"), tally)
    });
}

/// What looks for one kind of fault in all there is.
fn look_for_kinds(project: &Project, venv: &Venv, summary: &mut Summary) {
    summary.count("sizes, memory, races, threads", |tally| {
        let trials = &mut pytest(project, venv, &TRIALS);
        count(trials.envs([("OPWRIGHT_EVERY", "1"), ("OPWRIGHT_RACE_SECONDS", "0.1")]), tally)
    });
    summary.count("kinds of faults, random graphs", |tally| {
        count(pytest(project, venv, &KINDS).env("OPWRIGHT_EVERY", "1"), tally)
    });
}

/// What is built in other ways.
fn build(project: &Project, venv: &Venv, summary: &mut Summary) {
    summary.check("kernels under AddressSanitizer", || sanitized::run(project));
    summary.check("a crate that takes operators in", || new_crate::take(project, venv));
    summary.check("published crates", || packages::run(project, venv));
    summary.count("module with assertions", |tally| {
        let site = checked::install(project, venv)?;
        let mut pytest = pytest(project, venv, &[]);
        // Instruction counts are those of the release; valgrind has had its turn.
        pytest.args(["-k", "not valgrind and not instructions"]);
        count(pytest.env("PYTHONPATH", site), tally)
    });
}

/// Hostile calls, as long as somebody likes.
fn fuzz(project: &Project, venv: &Venv, minutes: u64, summary: &mut Summary) {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    step_output::say(format_args!("\nhostile calls for {minutes} minutes, from seed {seed} on"));
    summary.check("hostile calls", || call_at_random(project, venv, seed, minutes));
    summary
        .check("calls that reach new lines of Python", || follow_coverage(project, venv, minutes));
}

/// Tests that call every operator in a process of its own; a sample of them
/// where nobody says otherwise.
const TRIALS: [&str; 5] = ["huge", "memory_limit", "races", "shared_memory", "threads"];

/// Tests that look for one kind of fault in all there is; in a sample where nobody says otherwise.
const KINDS: [&str; 8] = [
    "every_graph",
    "every_rewrite",
    "jit/random_programs",
    "kinds_of_tensors",
    "private_names",
    "promises",
    "random_graphs",
    "rounded_steps",
];

fn minutes(args: &[&str]) -> ProcessResult<u64> {
    match args {
        [] => Ok(MINUTES),
        ["--minutes", count] => {
            count.parse().map_err(|_| format!("`{count}` is no number of minutes").into())
        }
        _ => Err("`soak` takes `--minutes N` and nothing else".into()),
    }
}

/// Tests of these files of `tests/python`, or of all.
fn pytest(project: &Project, venv: &Venv, files: &[&str]) -> Command {
    let mut pytest = venv.module("pytest");
    pytest.args(["--quiet", "-rfEs", "--timeout", "7200"]).current_dir(project.root());
    match files {
        [] => pytest.arg("tests/python"),
        files => pytest.args(files.iter().map(|it| test_file(it))),
    };
    pytest
}

/// The path of a test by its name, which may have a folder in front.
fn test_file(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((folder, name)) => format!("tests/python/{folder}/test_{name}.py"),
        None => format!("tests/python/test_{name}.py"),
    }
}

fn count(pytest: &mut Command, tally: &mut Tally) -> ProcessResult<()> {
    process::watch(pytest, |line| *tally += Tally::of_pytest(line))
}

fn call_at_random(project: &Project, venv: &Venv, seed: u64, minutes: u64) -> ProcessResult<()> {
    let trace = project.target().join("soak-last-call");
    let mut fuzz = venv.python();
    fuzz.arg(project.path("tests/python/fuzz.py"));
    fuzz.args([CALLS_AT_ONCE.to_string(), seed.to_string(), (60 * minutes).to_string()]);
    let result = process::run(fuzz.arg(&trace));
    result.map_err(|error| format!("{error}; the last call is in {}", trace.display()).into())
}

/// A fuzzer that is no part of `.venv`: there are wheels for some Pythons only.
const ATHERIS: &str = "atheris==3.0.0";

fn follow_coverage(project: &Project, venv: &Venv, minutes: u64) -> ProcessResult<()> {
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
