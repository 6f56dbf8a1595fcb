//! Steps that run beside others: what they print is kept until those have ended.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::{Scope, ScopedJoinHandle};

use crate::process::ProcessResult;
use crate::progress::RunningProgram;
use crate::step_output::{self, say};
use crate::summary::Summary;

/// Some steps, on their way.
pub(crate) struct Lane<'scope> {
    name: &'static str,
    printed: PathBuf,
    steps: ScopedJoinHandle<'scope, Summary>,
}

impl<'scope> Lane<'scope> {
    /// Starts steps, which print into a file.
    ///
    /// # Errors
    ///
    /// If there can be no such file.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        name: &'static str,
        printed: &Path,
        steps: impl FnOnce(&mut Summary) + Send + 'scope,
    ) -> ProcessResult<Self> {
        let file = File::create(printed)?;
        say(format_args!("\n=== {name}: beside the next steps, see {}", printed.display()));
        let steps = scope.spawn(move || {
            step_output::keep(file);
            let mut summary = Summary::default();
            steps(&mut summary);
            summary
        });
        Ok(Lane { name, printed: printed.to_owned(), steps })
    }

    /// Waits for the steps, prints what they printed, and adds what they came to.
    ///
    /// # Errors
    ///
    /// If what they printed cannot be shown.
    ///
    /// # Panics
    ///
    /// If a step did.
    pub(crate) fn end(self, summary: &mut Summary) -> ProcessResult<()> {
        say(format_args!("\n=== {}", self.name));
        let running = RunningProgram::begin();
        summary.add(self.steps.join().expect("a step panicked"));
        drop(running);
        io::copy(&mut File::open(&self.printed)?, &mut io::stderr())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::{env, fs, process as this, thread};

    use super::Lane;
    use crate::process;
    use crate::summary::Summary;
    use crate::tally::Tally;

    #[test]
    fn what_steps_print_is_kept_and_what_they_came_to_is_added() {
        let path = env::temp_dir().join(format!("opwright-lane-{}.txt", this::id()));
        let mut summary = Summary::default();
        thread::scope(|scope| {
            let lane = Lane::start(scope, "others", &path, |summary| {
                summary.check("printing", || process::run(Command::new("cargo").arg("--version")));
                summary.count("watching", |tally| {
                    let mut cargo = Command::new("cargo");
                    process::watch(cargo.args(["--version", "--verbose"]), |line| {
                        if line.starts_with("release: ") {
                            *tally += Tally::PASS;
                        }
                    })
                });
                summary.check("failing", || Err("it failed".into()));
            });
            lane.unwrap().end(&mut summary).unwrap();
        });
        let printed = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        for part in ["=== printing\n$ cargo --version\ncargo 1.", "\nrelease: ", "error: it failed"]
        {
            assert!(printed.contains(part), "{part:?} is not in {printed:?}");
        }
        assert!(!summary.is_success());
        assert_eq!(summary.sum(), "2 passed, 1 failed");
    }
}
