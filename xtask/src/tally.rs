//! Counting tests from what the test runners print.

use std::ops::AddAssign;

/// How many checks passed, and how many did not.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    /// What the runners say of those that failed, a line each.
    pub(crate) failures: Vec<String>,
}

impl Tally {
    /// One check that passed.
    pub(crate) const PASS: Self = Self { passed: 1, failed: 0, failures: Vec::new() };
    /// One check that failed.
    pub(crate) const FAIL: Self = Self { passed: 0, failed: 1, failures: Vec::new() };

    /// What a line of `cargo test` adds: `test result: ok. 5 passed; 0 failed; ...`, or
    /// `test name ... FAILED`.
    pub(crate) fn of_libtest(line: &str) -> Self {
        if line.starts_with("test ") && line.ends_with("... FAILED") {
            return Self::named(line);
        }
        line.strip_prefix("test result: ").map_or(Self::default(), Self::of_summary)
    }

    /// What a line of `pytest -q` adds: `1 failed, 40 passed, 2 skipped in 1.20s`, or
    /// `FAILED test_add.py::test - what is wrong`.
    pub(crate) fn of_pytest(line: &str) -> Self {
        if line.starts_with("FAILED ") || line.starts_with("ERROR ") {
            return Self::named(line);
        }
        let is_summary =
            line.trim_matches(['=', ' ']).rsplit_once(" in ").is_some_and(|(counts, time)| {
                counts.split(", ").all(is_count) && time.starts_with(|it: char| it.is_ascii_digit())
            });
        if is_summary { Self::of_summary(line) } else { Self::default() }
    }

    /// A line about a failure, which the summary counts.
    fn named(line: &str) -> Self {
        Self { failures: vec![line.to_owned()], ..Self::default() }
    }

    /// Sums the numbers that stand before `passed`, `failed` and `error(s)`.
    fn of_summary(line: &str) -> Self {
        let mut tally = Self::default();
        let words: Vec<&str> = line.split([' ', ',', ';', '.', '=']).collect();
        for pair in words.windows(2) {
            let [count, outcome] = pair else { continue };
            let Ok(count) = count.parse::<u64>() else { continue };
            match *outcome {
                "passed" => tally.passed += count,
                "failed" | "error" | "errors" => tally.failed += count,
                _ => {}
            }
        }
        tally
    }
}

/// `40 passed`.
fn is_count(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(count, _)| count.parse::<u64>().is_ok())
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    fn tally(passed: u64, failed: u64) -> Tally {
        Tally { passed, failed, ..Tally::default() }
    }

    #[test]
    fn reads_libtest() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.01s";
        assert_eq!(Tally::of_libtest(line), tally(12, 3));
        assert_eq!(Tally::of_libtest("test cast::of_7 passed ... ok"), tally(0, 0));
        let line = "test cast::of_7 ... FAILED";
        assert_eq!(Tally::of_libtest(line).failures, [line]);
    }

    #[test]
    fn reads_pytest() {
        assert_eq!(Tally::of_pytest("3 failed, 40 passed, 2 skipped in 1.20s"), tally(40, 3));
        assert_eq!(Tally::of_pytest("==== 1 passed, 2 errors in 0.12s ===="), tally(1, 2));
        assert_eq!(Tally::of_pytest("40 passed, 1 warning in 75.31s (0:01:15)"), tally(40, 0));
        let line = "FAILED test_add.py::test - 3 failed in add";
        assert_eq!(Tally::of_pytest(line).failures, [line]);
        assert_eq!(Tally::of_pytest(line).failed, 0);
    }
}
