//! Summary of the steps of a run.

use std::time::{Duration, Instant};

use crate::process::ProcessResult;
use crate::step_output;
use crate::tally::Tally;

/// The steps so far.
#[derive(Default)]
pub(crate) struct Summary {
    steps: Vec<RunStep>,
}

struct RunStep {
    name: &'static str,
    tally: Tally,
    time: Duration,
    error: Option<String>,
}

impl Summary {
    /// Runs a step that counts as one check.
    pub(crate) fn check(&mut self, name: &'static str, step: impl FnOnce() -> ProcessResult<()>) {
        self.count(name, |tally| {
            step()?;
            *tally += Tally::PASS;
            Ok(())
        });
    }

    /// Leaves out a step.
    pub(crate) fn skip(&mut self, name: &'static str, why: &str) {
        self.count(name, |tally| {
            *tally += Tally::skip(&format!("{name}: {why}"));
            Ok(())
        });
    }

    /// Runs a step that counts its own checks.
    ///
    /// If it fails without having counted a failure, such as for code that does not compile,
    /// that is one.
    pub(crate) fn count(
        &mut self,
        name: &'static str,
        step: impl FnOnce(&mut Tally) -> ProcessResult<()>,
    ) {
        step_output::say(format_args!("\n=== {name}"));
        let start = Instant::now();
        let mut tally = Tally::default();
        let error = step(&mut tally).err().map(|it| it.to_string());
        if let Some(error) = &error {
            step_output::say(format_args!("error: {error}"));
            if tally.failed == 0 {
                tally += Tally::FAIL;
            }
        }
        self.steps.push(RunStep { name, tally, time: start.elapsed(), error });
    }

    /// Adds steps that ran beside these.
    pub(crate) fn add(&mut self, other: Summary) {
        self.steps.extend(other.steps);
    }

    /// Prints a table of the steps, what was skipped, what failed, and, as the last line, the sum.
    pub(crate) fn print(&self) {
        println!(
            "\n{:<36} {:>8} {:>8} {:>8} {:>9}",
            "step", "passed", "failed", "skipped", "seconds"
        );
        for RunStep { name, tally, time, error } in &self.steps {
            let Tally { passed, failed, skipped, .. } = tally;
            print!("{name:<36} {passed:>8} {failed:>8} {:>8}", skipped.len());
            print!(" {:>9.1}", time.as_secs_f64());
            println!("{}", error.as_ref().map_or(String::new(), |it| format!("  {it}")));
        }
        for line in self.steps.iter().flat_map(|it| &it.tally.skipped) {
            println!("skipped: {line}");
        }
        for failure in self.steps.iter().flat_map(|it| &it.tally.failures) {
            println!("{failure}");
        }
        println!("{}", self.sum());
    }

    /// True if no check failed.
    pub(crate) fn is_success(&self) -> bool {
        self.steps.iter().all(|it| it.tally.failed == 0)
    }

    /// How many checks passed and failed, and how many were skipped if any were.
    pub(crate) fn sum(&self) -> String {
        let sum = |of: fn(&Tally) -> i64| self.steps.iter().map(|it| of(&it.tally)).sum::<i64>();
        let skipped = sum(|it| it.skipped.len() as i64);
        let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        format!("{} passed, {} failed{skipped}", sum(|it| it.passed), sum(|it| it.failed))
    }
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use crate::tally::Tally;

    #[test]
    fn failing_without_a_count_is_one_failure() {
        let mut summary = Summary::default();
        summary.count("does not compile", |_tally| Err("exit status 101".into()));
        summary.check("formatting", || Ok(()));
        assert!(!summary.is_success());
        assert_eq!(summary.sum(), "1 passed, 1 failed");
    }

    #[test]
    fn counted_failures_are_not_counted_twice() {
        let mut summary = Summary::default();
        summary.count("tests", |tally| {
            *tally += Tally { passed: 7, failed: 2, ..Tally::default() };
            Err("exit status 101".into())
        });
        assert_eq!(summary.sum(), "7 passed, 2 failed");
    }

    #[test]
    fn what_was_skipped_is_counted() {
        let mut summary = Summary::default();
        summary.skip("licences", "cargo-deny is not installed");
        assert_eq!(summary.sum(), "0 passed, 0 failed, 1 skipped");
        assert!(summary.is_success());
    }
}
