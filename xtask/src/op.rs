//! `cargo xtask op NAME`: what is known of one operator of the installed module, in seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

use crate::bench;
use crate::declare;
use crate::process::{self, ProcessResult};
use crate::project::Project;
use crate::summary::Summary;
use crate::tally::Tally;
use crate::venv::Venv;

/// The steps after that of the cases: their names, and those that `xtask/op/steps.py` has for them.
const STEPS: [(&str, &str); 4] = [
    ("opcheck", "opcheck"),
    ("gradcheck", "gradcheck"),
    ("examples", "examples"),
    ("benchmark", "bench"),
];

/// The tests that go over cases of operators.
const CASES: [&str; 2] = ["tests/python/test_cases.py", "tests/python/test_recorded_calls.py"];

/// What the module is built from and people change when they add an operator.
const SOURCES: [&str; 2] = ["native_functions.yaml", "ops/src"];

/// Runs all steps, also after one that failed, and prints the sum as the last line.
///
/// Each is a process of its own, so that a kernel that crashes ends only one of them.
///
/// # Errors
///
/// If no module is installed, or there is not exactly one name.
pub(crate) fn run(project: &Project, args: &[&str]) -> ProcessResult<ExitCode> {
    let [name] = args else {
        return Err("`op` takes one name, such as `softmax`, `linalg.norm` or `add.Tensor`".into());
    };
    declare::run(project)?;
    let venv = Venv::installed(project)?;
    // It says itself what is wrong with the name.
    if !step(project, &venv, "find", name).status()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    if is_stale(&venv.wheel(), &SOURCES.map(|it| project.path(it)))? {
        println!("note: the sources are newer than the module; `cargo xtask develop` builds it");
    }
    let mut summary = Summary::default();
    summary.count("cases", |tally| count(&mut cases(project, &venv, name), tally));
    for (title, word) in STEPS {
        summary.count(title, |tally| count(&mut step(project, &venv, word, name), tally));
    }
    summary.print();
    Ok(if summary.is_success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The cases that call the operator.
fn cases(project: &Project, venv: &Venv, name: &str) -> Command {
    let mut pytest = venv.counted_pytest(project);
    pytest.args(["-p", "select_cases", "--operator", name]).args(CASES);
    // No case needs hypothesis, which takes more time than they do.
    pytest.args(["--noconftest", "-p", "no:hypothesispytest"]);
    pytest.env("PYTHONPATH", project.path("xtask/op"));
    pytest
}

fn step(project: &Project, venv: &Venv, word: &str, name: &str) -> Command {
    let mut python = venv.python();
    bench::hold_threads(&mut python, "1");
    python.arg(project.path("xtask/op/steps.py")).args([word, name]).current_dir(project.root());
    python
}

fn count(command: &mut Command, tally: &mut Tally) -> ProcessResult<()> {
    process::watch(command, |line| *tally += Tally::of_pytest(line))
}

/// Whether a source was changed after the wheel was installed.
fn is_stale(wheel: &Path, sources: &[PathBuf]) -> ProcessResult<bool> {
    let installed = fs::metadata(wheel)?.modified()?;
    let mut newest = SystemTime::UNIX_EPOCH;
    for source in sources {
        newest = newest.max(last_change(source)?);
    }
    Ok(newest > installed)
}

/// When a source, or one in a folder, was changed last.
fn last_change(path: &Path) -> ProcessResult<SystemTime> {
    if !path.is_dir() {
        return Ok(fs::metadata(path)?.modified()?);
    }
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        // Rows of operators are read where they lie.
        if path.is_dir() || path.extension().is_some_and(|it| it == "rs") {
            newest = newest.max(last_change(&path)?);
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};
    use std::{env, fs, process as this};

    use super::{SOURCES, is_stale, run};
    use crate::project::Project;

    #[test]
    fn one_name_is_wanted() {
        for args in [&[][..], &["add", "sub"]] {
            let error = run(&Project::find(), args).unwrap_err().to_string();
            assert!(error.starts_with("`op` takes one name"), "{error}");
        }
    }

    #[test]
    fn a_module_older_than_its_sources_is_stale() {
        let folder = env::temp_dir().join(format!("opwright-op-{}", this::id()));
        let (wheel, sources) = (folder.join("installed.whl"), folder.join("src"));
        fs::create_dir_all(sources.join("kernels")).unwrap();
        fs::write(sources.join("kernels/activation.rs"), "").unwrap();
        let file = fs::File::create(&wheel).unwrap();
        for (later, expected) in [(true, false), (false, true)] {
            let (now, hour) = (SystemTime::now(), Duration::from_secs(3600));
            file.set_modified(if later { now + hour } else { now - hour }).unwrap();
            assert_eq!(is_stale(&wheel, std::slice::from_ref(&sources)).unwrap(), expected);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_sources_are_there() {
        for source in SOURCES {
            assert!(Project::find().path(source).exists(), "{source}");
        }
    }
}
