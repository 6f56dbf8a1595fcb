//! `cargo xtask release`: what a release consists of, and the crates, published in their order.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::ProcessResult;
use crate::project::Project;
use crate::release_checks::ReleaseCandidate;
use crate::stage;
use crate::workspace::{self, WorkspacePackage};

/// How long the registry wants one to wait that has made several new crates.
const PAUSE: Duration = Duration::from_secs(600);

/// What became of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Published {
    Now,
    /// By a run before this one.
    Already,
    /// Too many new crates at once.
    Later,
}

/// Checks that what is checked out can be released, and lists the crates; publishes them; or prints
/// what the changelog says.
///
/// # Errors
///
/// If something is in the way, or cannot be published.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<()> {
    let candidate = ReleaseCandidate::find(project)?;
    let publishes = match args {
        [] => false,
        ["--publish"] => true,
        ["--notes"] => {
            println!("{}", candidate.notes()?);
            return Ok(());
        }
        _ => return Err("`release` takes `--publish`, `--notes` or nothing".into()),
    };
    let packages = workspace::packages(project)?;
    let order = workspace::in_order(&packages)?;
    println!("{}: {} crates, in this order:", candidate.tag(), order.len());
    order.iter().for_each(|it| println!("  {} {}", it.name, candidate.version()));
    let problems = candidate.problems(publishes)?;
    if !problems.is_empty() {
        return Err(format!("this commit cannot be released:\n  {}", problems.join("\n  ")).into());
    }
    if publishes { publish(project, &order) } else { Ok(()) }
}

/// Publishes the crates; those that are there already are passed over, so a run that was interrupted can be
/// repeated.
fn publish(project: &Project, order: &[&WorkspacePackage]) -> ProcessResult<()> {
    let staged = env::temp_dir().join(format!("opwright-release-{}", std::process::id()));
    let done = stage::stage(project, &staged)
        .and_then(|()| order.iter().try_for_each(|it| publish_one(project, &staged, it)));
    let _ = fs::remove_dir_all(&staged);
    done
}

fn publish_one(project: &Project, staged: &Path, package: &WorkspacePackage) -> ProcessResult<()> {
    loop {
        let mut cargo = project.cargo();
        // `cargo xtask packages` has built what is packed.
        cargo.args(["publish", "--no-verify", "--allow-dirty", "--package", &package.name]);
        match outcome(cargo.current_dir(staged).env("CARGO_TARGET_DIR", project.target()))? {
            Published::Now => return Ok(()),
            Published::Already => {
                println!("{} is published already", package.name);
                return Ok(());
            }
            Published::Later => {
                println!("{}: once more in {} minutes", package.name, PAUSE.as_secs() / 60);
                thread::sleep(PAUSE);
            }
        }
    }
}

/// Runs `cargo publish`, whose errors say more than its status.
fn outcome(cargo: &mut Command) -> ProcessResult<Published> {
    let mut child = cargo.stderr(Stdio::piped()).spawn()?;
    let mut said = String::new();
    let stderr = child.stderr.take().expect("errors are piped");
    for line in BufReader::new(stderr).lines() {
        let line = line?;
        eprintln!("{line}");
        said.push_str(&line);
    }
    let status = child.wait()?;
    let told = if status.success() { Some(Published::Now) } else { of_error(&said) };
    told.ok_or_else(|| format!("`cargo publish` failed ({status})").into())
}

/// What an error of the registry means, if the run can go on after it.
fn of_error(said: &str) -> Option<Published> {
    if said.contains("already exists on crates.io") || said.contains("is already uploaded") {
        return Some(Published::Already);
    }
    let is_limit = said.contains("429 Too Many Requests") || said.contains("status 429");
    is_limit.then_some(Published::Later)
}

#[test]
fn errors_after_which_publishing_goes_on_are_known() {
    let exists = "error: crate opwright-tables@0.1.0 already exists on crates.io index";
    assert_eq!(of_error(exists), Some(Published::Already));
    let limit = "the remote server responded with an error (status 429 Too Many Requests): You have published too many new crates in a short period of time";
    assert_eq!(of_error(limit), Some(Published::Later));
    assert_eq!(of_error("error: no token found, please run `cargo login`"), None);
}
